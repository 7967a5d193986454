import { COLLECTORS, FAMILIES, type FamilyName } from '../../generate/families.js'
import type { LogPlan } from '../../generate/generate.js'
import type { Event } from '../../generate/messages.js'
import type { Random } from '../../generate/random.js'
import { expand } from '../../generate/template.js'
import { run } from '../../harness/command.js'
import { showSize } from '../../harness/options.js'
import type { ToolStage } from './stage.js'

const QUIET_SEED = 1
const DENSE_SEED = 2
const FAMILY_SEED = 3

/** A longer line of a rule's own test log is left out: one such line would be half of the log. */
const LONGEST_EXAMPLE = 1000

/** The main log: lines of many programs after an RFC 3339 timestamp, few of which meet a rule. */
export function quietLog({ materials }: Pick<ToolStage, 'materials'>, size: number): string {
  return materials.log(`quiet-${showSize(size)}.log`, { seed: QUIET_SEED, size, format: COLLECTORS.rfc3339 })
}

/** One program's or collector's log. */
export function familyLog({ materials }: Pick<ToolStage, 'materials'>, family: FamilyName, size: number): string {
  return materials.log(`${family}-${showSize(size)}.log`, { seed: FAMILY_SEED, size, format: FAMILIES[family] })
}

/** A log in which every line meets a rule of one condition. */
export function denseLog({ materials, rules }: Pick<ToolStage, 'materials' | 'rules'>, size: number): string {
  return materials.log(`dense-${showSize(size)}.log`, densePlan(hitTemplates(rules), size))
}

export function densePlan(templates: readonly string[], size: number): LogPlan {
  const event = (random: Random): Event => ({
    level: 'error',
    text: expand(random.pick(templates), random),
    trace: [],
  })
  // The text is in the line as it is: another format would escape it, or append to it.
  return { seed: DENSE_SEED, size, event, format: ({ text }) => [`%{time:nano} ${text}`] }
}

/** A line for each rule of one condition: around its literal, or out of its own test log. */
export function hitTemplates({ corpus }: Pick<ToolStage['rules'], 'corpus'>): readonly string[] {
  const usable = corpus.alone.filter(({ text }) => !text.includes('%{'))
  return usable.flatMap(({ kind, text }) => {
    if (kind === 'value') return [`%{component}: ${text} (%{noun} %{hex:8})`]
    const pattern = asRegExp(text)
    const example = pattern && corpus.examples.find((line) => line.length < LONGEST_EXAMPLE && pattern.test(line))
    return example ? [example] : []
  })
}

/** Good enough to find an example; ripgrep then counts whether every line of the log is one. */
function asRegExp(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern.replace(/^\(\?i\)/, ''), pattern.startsWith('(?i)') ? 'i' : '')
  } catch {
    return null
  }
}

export function countLines(log: string): number {
  return Number.parseInt(run({ name: 'wc -l', program: 'wc', args: ['-l', log] }).output, 10)
}
