import { basename, dirname } from 'node:path'
import { entryOf, type MapNode } from '@omen/engine'
import type { WrittenDocument, WrittenRule } from '../documents/written-rules.js'
import { filesIn } from '../loading/rule-files.js'
import type { FindingAt } from './lint-documents.js'

/** The fields that an engineer on call needs first. */
const EXPECTED = ['title', 'cause', 'mitigation'] as const

/** Findings about the descriptions of rules. */
export function checkDescriptions({ rules }: WrittenDocument): FindingAt[] {
  return rules.flatMap((rule) => (rule.cre ? [...missingFields(rule, rule.cre), ...badReferences(rule, rule.cre)] : []))
}

function missingFields({ node, id: creId }: WrittenRule, cre: MapNode): FindingAt[] {
  const at = node.entries.get('cre')!.start
  const missing = EXPECTED.filter((field) => isEmpty(cre, field))
  const findings: FindingAt[] = []
  if (missing.length > 0) {
    const message = `cre has no ${missing.join(', no ')}: the engineer on call needs to know what happened, why, and what to do`
    findings.push({ at, creId, message })
  }
  if (isEmpty(cre, 'severity')) {
    const scale = '0 critical, 1 high, 2 medium, 3 low, 4 info'
    findings.push({ at, creId, message: `cre has no severity, so it is critical by default: set one of ${scale}` })
  }
  return findings
}

function isEmpty(cre: MapNode, field: string): boolean {
  const value = entryOf(cre, field)?.value
  return value === undefined || (value.kind === 'scalar' && value.text.trim() === '')
}

function badReferences({ id }: WrittenRule, cre: MapNode): FindingAt[] {
  const list = entryOf(cre, 'references')?.value
  const items = list?.kind === 'list' ? list.items : list ? [list] : []
  return items.flatMap((item) => {
    if (item.kind !== 'scalar' || /^https?:\/\/[^\s/]+/i.test(item.text)) return []
    return [{ at: item.start, creId: id, message: 'a reference must be a link that starts with https://' }]
  })
}

const MAIN_DOCUMENT = /^rule\.ya?ml$/i

/** Findings about the folder of a `rule.yaml`: its test logs and its name. */
export function checkSurroundings({ file, rules }: WrittenDocument): FindingAt[] {
  if (!MAIN_DOCUMENT.test(basename(file))) return []
  const names = filesIn(dirname(file)).map((path) => basename(path))
  const findings: FindingAt[] = []
  if (!names.some((name) => /^hit.*\.(log|jsonl?|txt)(\.gz)?$/i.test(name))) {
    findings.push({ at: 0, message: 'no hit.log in this folder: add one with lines on which the rule must fire' })
  }
  if (!names.some((name) => /^miss.*\.(log|jsonl?|txt)(\.gz)?$/i.test(name))) {
    findings.push({
      at: 0,
      message: 'no miss.log in this folder: add one with similar lines on which the rule must not fire',
    })
  }
  return [...findings, ...misnamedFolder(basename(dirname(file)), rules)]
}

function misnamedFolder(folder: string, rules: readonly WrittenRule[]): FindingAt[] {
  const [rule] = rules
  if (!/^cre-\d{4}-\d+$/i.test(folder) || rules.length !== 1 || rule?.cre === undefined || rule.id === undefined)
    return []
  if (rule.id.toLowerCase() === folder.toLowerCase()) return []
  const at = entryOf(rule.cre, 'id')!.value.start
  return [{ at, creId: rule.id, message: `the folder is named ${folder}: name it after the id of the rule` }]
}
