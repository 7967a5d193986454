import { basename, dirname } from 'node:path'
import { entryOf, type MapNode } from '@omen/engine'
import type { WrittenDocument, WrittenRule } from '../documents/written-rules.js'
import { filesIn } from '../loading/rule-files.js'
import type { PlacedRemark } from './lint-documents.js'

/** What whoever is woken up asks first. */
const EXPECTED = ['title', 'cause', 'mitigation'] as const

/** Remarks about what a rule tells its readers. */
export function checkDescriptions({ rules }: WrittenDocument): PlacedRemark[] {
  return rules.flatMap((rule) => (rule.cre ? [...missingFields(rule, rule.cre), ...badReferences(rule, rule.cre)] : []))
}

function missingFields({ node, id: creId }: WrittenRule, cre: MapNode): PlacedRemark[] {
  const at = node.entries.get('cre')!.start
  const missing = EXPECTED.filter((field) => isEmpty(cre, field))
  const remarks: PlacedRemark[] = []
  if (missing.length > 0) {
    const message = `cre has no ${missing.join(', no ')}: whoever is woken up needs to know what, why and what to do`
    remarks.push({ at, creId, message })
  }
  if (isEmpty(cre, 'severity')) {
    const scale = '0 critical, 1 high, 2 medium, 3 low, 4 info'
    remarks.push({ at, creId, message: `cre has no severity, so it counts as critical: ${scale}` })
  }
  return remarks
}

function isEmpty(cre: MapNode, field: string): boolean {
  const value = entryOf(cre, field)?.value
  return value === undefined || (value.kind === 'scalar' && value.text.trim() === '')
}

function badReferences({ id }: WrittenRule, cre: MapNode): PlacedRemark[] {
  const list = entryOf(cre, 'references')?.value
  const items = list?.kind === 'list' ? list.items : list ? [list] : []
  return items.flatMap((item) => {
    if (item.kind !== 'scalar' || /^https?:\/\/[^\s/]+/i.test(item.text)) return []
    return [{ at: item.start, creId: id, message: 'a reference is a link that starts with https://' }]
  })
}

const MAIN_DOCUMENT = /^rule\.ya?ml$/i

/** Remarks about what stands beside a `rule.yaml`: the logs that prove it, and a folder named after it. */
export function checkSurroundings({ file, rules }: WrittenDocument): PlacedRemark[] {
  if (!MAIN_DOCUMENT.test(basename(file))) return []
  const names = filesIn(dirname(file)).map((path) => basename(path))
  const remarks: PlacedRemark[] = []
  if (!names.some((name) => /^hit.*\.(log|jsonl?|txt)(\.gz)?$/i.test(name))) {
    remarks.push({ at: 0, message: 'no hit.log beside it: put lines there in which the rule must fire' })
  }
  if (!names.some((name) => /^miss.*\.(log|jsonl?|txt)(\.gz)?$/i.test(name))) {
    remarks.push({ at: 0, message: 'no miss.log beside it: put lines there that look alike and are harmless' })
  }
  return [...remarks, ...misnamedFolder(basename(dirname(file)), rules)]
}

function misnamedFolder(folder: string, rules: readonly WrittenRule[]): PlacedRemark[] {
  const [rule] = rules
  if (!/^cre-\d{4}-\d+$/i.test(folder) || rules.length !== 1 || rule?.cre === undefined || rule.id === undefined)
    return []
  if (rule.id.toLowerCase() === folder.toLowerCase()) return []
  const at = entryOf(rule.cre, 'id')!.value.start
  return [{ at, creId: rule.id, message: `the folder is named ${folder}: name it after the rule` }]
}
