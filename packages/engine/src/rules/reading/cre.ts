import { quote } from '../../messages/quote.js'
import type { CreApplication, CreRecord } from '../compiled.js'
import { type DocumentNode, entryOf, type MapEntry, type MapNode } from '../document/tree.js'
import { type KeyPlace, type KeyType, keysOf, reportName } from '../keys.js'
import type { Remarks } from '../remarks.js'
import { describeNode } from './describe.js'
import { ignoredKeys, numberOf, readNumber, readText, readTexts } from './fields.js'

const CRE_ID = /^[A-Za-z0-9-]{4,}$/

/** The CRE id of a rule, if it has a proper one: what every remark about the rule is named after. */
export function findCreId(cre: DocumentNode | undefined): string | undefined {
  const id = cre?.kind === 'map' ? entryOf(cre, 'id')?.value : undefined
  return id?.kind === 'scalar' && CRE_ID.test(id.text) ? id.text : undefined
}

/** Reads the description record. Its fields stand in the order of the report, whatever their order in the document. */
export function readCre(cre: MapNode, at: number, remarks: Remarks): CreRecord {
  for (const { value, at } of ignoredKeys(cre, 'cre')) remarks.lint(at, `cre: ${value}`)
  checkCreId(cre, at, remarks)
  return readRecord(cre, 'cre', remarks) as unknown as CreRecord
}

function checkCreId(cre: MapNode, at: number, remarks: Remarks): void {
  const id = entryOf(cre, 'id')?.value
  if (id === undefined) remarks.problem('missing', at, 'cre.id is missing: every rule needs one, such as CRE-2026-0001')
  if (id?.kind !== 'scalar' || CRE_ID.test(id.text)) return
  const blank = /\s/.test(id.text) ? ' has a blank and' : ''
  const message = `cre.id ${quote(id.text)}${blank} is not allowed: at least four letters, digits and hyphens`
  remarks.problem('bad-cre-id', id.start, message)
}

type FieldReader = (entry: MapEntry, name: string, remarks: Remarks) => unknown

const READERS: Readonly<Partial<Record<KeyType, FieldReader>>> = {
  text: readText,
  prose: readProse,
  texts: readTexts,
  number: readNumber,
  integer: readSeverity,
  maps: readApplications,
}

/** The fields of a record: its key in the document, its name in the report, and how it is read. */
const FIELDS = { cre: fieldsOf('cre'), application: fieldsOf('application') }

function fieldsOf(place: KeyPlace) {
  return Object.entries(keysOf(place)).map(([key, { type }]) => ({ key, field: reportName(key), read: READERS[type]! }))
}

function readRecord(map: MapNode, place: keyof typeof FIELDS, remarks: Remarks): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const { key, field, read } of FIELDS[place]) {
    const entry = entryOf(map, key)
    const value = entry === undefined ? undefined : read(entry, `${place}.${key}`, remarks)
    if (value !== undefined) record[field] = value
  }
  return record
}

/** A text; a list of texts becomes the Markdown list that its author would have written. */
function readProse(entry: MapEntry, name: string, remarks: Remarks): string | undefined {
  if (entry.value.kind !== 'list') return readText(entry, name, remarks)
  return readTexts(entry, name, remarks)
    ?.map((item) => `- ${item}`)
    .join('\n')
}

function readSeverity({ value }: MapEntry, name: string, remarks: Remarks): number | undefined {
  const severity = numberOf(value)
  if (severity !== undefined && Number.isInteger(severity) && severity >= 0 && severity <= 4) return severity
  const scale = '0 to 4 (critical, high, medium, low, info)'
  remarks.problem('bad-severity', value.start, `${name} is ${scale}, not ${describeNode(value)}`)
  return undefined
}

function readApplications({ value }: MapEntry, name: string, remarks: Remarks): readonly CreApplication[] | undefined {
  if (value.kind === 'list') return value.items.flatMap((item) => readApplication(item, remarks))
  remarks.problem('wrong-type', value.start, `${name} is a list of maps with a name, not ${describeNode(value)}`)
  return undefined
}

function readApplication(node: DocumentNode, remarks: Remarks): CreApplication[] {
  if (node.kind !== 'map') {
    remarks.problem('wrong-type', node.start, `an application is a map with a name, not ${describeNode(node)}`)
    return []
  }
  for (const { value, at } of ignoredKeys(node, 'application')) remarks.lint(at, `application: ${value}`)
  if (entryOf(node, 'name') === undefined) remarks.problem('missing', node.start, 'application.name is missing')
  return [readRecord(node, 'application', remarks) as unknown as CreApplication]
}
