import { type Command, run } from '../../../harness/command.js'
import { compare } from '../../../harness/timing.js'
import { atLeast, speedRatio } from '../../../harness/verdict.js'
import { countLines, quietLog } from '../logs.js'
import { literalRules } from '../patterns.js'
import { ripgrep } from '../ripgrep.js'
import type { ToolRow, ToolStage } from '../stage.js'
import { scan } from '../subject.js'

/** All rules on one thread, against ripgrep with the same literals and expressions. */
export const scanRow: ToolRow = {
  name: 'scan',
  about: 'all rules, one thread, against rg -c -f',
  async *run(bench) {
    const { options, rules } = bench
    const log = quietLog(bench, options.size)
    const opponent = ripgrep(bench.materials.text('patterns.txt', asLines(rules.patterns.patterns)), log)
    const ours = scanRules(bench, log, 1)
    run(ours)
    const [subject, rg] = await compare([ours, opponent], options.runs)
    yield {
      row: 'scan',
      work: `${rules.title}, one thread`,
      subject: subject!,
      opponent: rg!,
      bytes: options.size,
      measured: speedRatio(subject!, rg!),
      goal: atLeast(2),
      notes: [
        `rg finds ${rg!.output.trim() || 0} of ${countLines(log)} lines; ${rules.patterns.patterns.length} patterns`,
        ...rules.patterns.dropped.map(({ text, why }) => `left out for rg: ${text} (${why})`),
      ],
    }
  },
}

/** The literal conditions alone, each as a rule. */
export const literalsRow: ToolRow = {
  name: 'literals',
  about: 'the literal conditions alone, against rg -c -F -f',
  async *run(bench) {
    const { options, materials, rules } = bench
    const log = quietLog(bench, options.size)
    const { literals } = rules.patterns
    const opponent = ripgrep(materials.text('literals.txt', asLines(literals)), log, true)
    const document = materials.text('literals.yaml', literalRules(literals))
    const ours = scan(bench.subject, { rules: document, log, threads: 1, config: bench.scratch })
    run(ours)
    const [subject, rg] = await compare([ours, opponent], options.runs)
    yield {
      row: 'literals',
      work: `${literals.length} literals, one thread`,
      subject: subject!,
      opponent: rg!,
      bytes: options.size,
      measured: speedRatio(subject!, rg!),
      goal: atLeast(1),
      notes: [],
    }
  },
}

/** One file on two threads, against one thread. */
export const threadsRow: ToolRow = {
  name: 'threads',
  about: 'all rules on two threads, against one',
  async *run(bench) {
    const log = quietLog(bench, bench.options.size)
    const commands = [scanRules(bench, log, 2), { ...scanRules(bench, log, 1), name: 'omen, one thread' }]
    run(commands[1]!)
    const [two, one] = await compare(commands, bench.options.runs)
    yield {
      row: 'threads',
      work: `${bench.rules.title}, two threads`,
      subject: two!,
      opponent: one!,
      bytes: bench.options.size,
      measured: speedRatio(two!, one!),
      goal: atLeast(1.6),
      notes: [],
    }
  },
}

/** A scan with all rules, from the cache after its first run. */
export function scanRules({ materials, rules, subject, scratch }: ToolStage, log: string, threads: number): Command {
  return scan(subject, { rules: materials.text('rules.yaml', rules.corpus.text), log, threads, config: scratch })
}

const asLines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join('')
