import { quote } from '../../messages/quote.js'
import type { CreApplication, CreRecord } from '../compiled.js'
import type { Diagnostics } from '../diagnostics.js'
import { type DocumentNode, entryOf, type MapEntry, type MapNode } from '../document/tree.js'
import { type KeyPlace, type KeyType, keysOf, reportName } from '../keys.js'
import { describeNode, ignoredKeys, numberOf, readNumber, readText, readTexts } from './fields.js'

const CRE_ID = /^[A-Za-z0-9-]{4,}$/

/** The CRE id of a rule, if it has a valid one: every diagnostic of the rule names it. */
export function findCreId(cre: DocumentNode | undefined): string | undefined {
  const id = cre?.kind === 'map' ? entryOf(cre, 'id')?.value : undefined
  return id?.kind === 'scalar' && CRE_ID.test(id.text) ? id.text : undefined
}

/** Reads the description record. Its fields have the order of the report, whatever their order in the document. */
export function readCre(cre: MapNode, at: number, diagnostics: Diagnostics): CreRecord {
  for (const { value, at } of ignoredKeys(cre, 'cre')) diagnostics.lint(at, `cre: ${value}`)
  checkCreId(cre, at, diagnostics)
  return readRecord(cre, 'cre', diagnostics) as unknown as CreRecord
}

function checkCreId(cre: MapNode, at: number, diagnostics: Diagnostics): void {
  const id = entryOf(cre, 'id')?.value
  if (id === undefined)
    diagnostics.problem('missing', at, 'cre.id is missing: every rule needs one, such as CRE-2026-0001')
  if (id?.kind !== 'scalar' || CRE_ID.test(id.text)) return
  const space = /\s/.test(id.text) ? ' contains a space and' : ''
  const message = `cre.id ${quote(id.text)}${space} is not allowed: at least four letters, digits and hyphens`
  diagnostics.problem('bad-cre-id', id.start, message)
}

type FieldReader = (entry: MapEntry, name: string, diagnostics: Diagnostics) => unknown

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

function readRecord(map: MapNode, place: keyof typeof FIELDS, diagnostics: Diagnostics): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const { key, field, read } of FIELDS[place]) {
    const entry = entryOf(map, key)
    const value = entry === undefined ? undefined : read(entry, `${place}.${key}`, diagnostics)
    if (value !== undefined) record[field] = value
  }
  return record
}

/** A string; a list of strings becomes a Markdown list. */
function readProse(entry: MapEntry, name: string, diagnostics: Diagnostics): string | undefined {
  if (entry.value.kind !== 'list') return readText(entry, name, diagnostics)
  return readTexts(entry, name, diagnostics)
    ?.map((item) => `- ${item}`)
    .join('\n')
}

function readSeverity({ value }: MapEntry, name: string, diagnostics: Diagnostics): number | undefined {
  const severity = numberOf(value)
  if (severity !== undefined && Number.isInteger(severity) && severity >= 0 && severity <= 4) return severity
  const scale = '0 to 4 (critical, high, medium, low, info)'
  diagnostics.problem('bad-severity', value.start, `${name} is ${scale}, not ${describeNode(value)}`)
  return undefined
}

function readApplications(
  { value }: MapEntry,
  name: string,
  diagnostics: Diagnostics,
): readonly CreApplication[] | undefined {
  if (value.kind === 'list') return value.items.flatMap((item) => readApplication(item, diagnostics))
  diagnostics.problem('wrong-type', value.start, `${name} is a list of maps with a name, not ${describeNode(value)}`)
  return undefined
}

function readApplication(node: DocumentNode, diagnostics: Diagnostics): CreApplication[] {
  if (node.kind !== 'map') {
    diagnostics.problem('wrong-type', node.start, `an application is a map with a name, not ${describeNode(node)}`)
    return []
  }
  for (const { value, at } of ignoredKeys(node, 'application')) diagnostics.lint(at, `application: ${value}`)
  if (entryOf(node, 'name') === undefined) diagnostics.problem('missing', node.start, 'application.name is missing')
  return [readRecord(node, 'application', diagnostics) as unknown as CreApplication]
}
