import { SEVERITY_LABELS, severityLabel } from '@omen/engine'
import { quote } from '@omen/engine/messages'
import { severityStyle } from '../console/text/paint.js'
import { formatTable } from '../console/text/table.js'
import type { CompiledRule } from './describe-detection.js'
import { loadRules } from './loading/load-rules.js'
import type { RulesContext } from './rules-verb.js'

/** The parsed command line of `omen rules list`. */
export interface ListCommand {
  /** Words that must all match a rule. */
  readonly operands: readonly string[]
  readonly json?: boolean
  /** Print one id per line, for shell completion. */
  readonly ids?: boolean
}

/**
 * Runs `omen rules list [word…]`: prints a table of the installed rules that match all words. A word is a severity, a tag, a source
 * type, or part of the id, title, category or an application. Returns the exit code: 1 if no rule matches. With `json`, prints a
 * list of `{id, severity, label, title, category, tags, source, rule_id, rule_hash}`, without absent fields.
 *
 * @example
 * await listRules({ operands: ['kafka', 'critical'] }, context)
 */
export async function listRules(
  command: ListCommand,
  { out, err, documents, cacheFolder }: RulesContext,
): Promise<number> {
  const { operands, json = false, ids = false } = command
  const { rules } = await loadRules(documents(), cacheFolder)
  const chosen = rules
    .filter((rule) => operands.every((word) => matches(rule, word.toLowerCase())))
    .sort((a, b) => compareIds(a.cre.id, b.cre.id))
  if (json) out.write(`${JSON.stringify(chosen.map(listedRule), null, 2)}\n`)
  else if (ids) out.write(chosen.map(({ cre }) => `${cre.id}\n`).join(''))
  else if (chosen.length > 0) out.write(formatTable(chosen.map(tableRow), out, { header: HEADER }))
  else
    err.write(
      `No rule matches ${operands.length === 1 ? '' : 'all of '}${operands.map((word) => quote(word)).join(', ')}\n`,
    )
  return chosen.length === 0 ? 1 : 0
}

const HEADER = ['ID', 'SEVERITY', 'SOURCE', 'TITLE']

function matches({ cre, source }: CompiledRule, word: string): boolean {
  const label = severityLabel(cre.severity)
  // "low" means the severity, and does not match "slow".
  if ((SEVERITY_LABELS as readonly string[]).includes(word))
    return label === word || (cre.tags?.includes(word) ?? false)
  const names = cre.applications?.map(({ name }) => name) ?? []
  const texts = [cre.id, cre.title ?? '', cre.category ?? '', source, ...(cre.tags ?? []), ...names]
  return texts.some((text) => text.toLowerCase().includes(word))
}

/** Orders ids with numbers by value: SHOP-9 before SHOP-10. A collator would take longer to load than everything else. */
export function compareIds(a: string, b: string): number {
  const [partsA, partsB] = [a.split(/(\d+)/), b.split(/(\d+)/)]
  for (let i = 0; i < Math.min(partsA.length, partsB.length); i++) {
    const [partA, partB] = [partsA[i]!, partsB[i]!]
    if (partA === partB) continue
    // The parts at odd indices are numbers.
    const order = i % 2 === 1 ? Number(partA) - Number(partB) : 0
    return order || (partA < partB ? -1 : 1)
  }
  return partsA.length - partsB.length
}

function tableRow({ cre, source }: CompiledRule) {
  const severity = { text: severityLabel(cre.severity), style: severityStyle(cre.severity) }
  return [cre.id, severity, source, cre.title ?? '']
}

function listedRule({ cre, source, ruleId, ruleHash }: CompiledRule) {
  const { id, severity, title, category, tags } = cre
  return {
    id,
    severity,
    label: severityLabel(severity),
    title,
    category,
    tags,
    source,
    rule_id: ruleId,
    rule_hash: ruleHash,
  }
}
