import type { CreRecord } from '../compiled.js'
import { type KeyPlace, type KeyType, keysOf, reportName } from '../keys.js'
import { broken, isObject } from './shape.js'

const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number'

type Check = (value: unknown) => boolean

const CHECKS: Readonly<Partial<Record<KeyType, Check>>> = {
  text: isText,
  prose: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  number: isNumber,
  integer: isNumber,
  maps: (value) => Array.isArray(value) && value.every((item) => isRecordOf(item, APPLICATION)),
}

const CRE = checksOf('cre')
const APPLICATION = checksOf('application')

function checksOf(place: KeyPlace): ReadonlyMap<string, Check> {
  return new Map(Object.entries(keysOf(place)).map(([key, { type }]) => [reportName(key), CHECKS[type]!]))
}

/** A description record goes into reports as it is, so nothing may be in it that does not belong there. */
export function checkCre(value: unknown): CreRecord {
  if (isRecordOf(value, CRE) && isText((value as Record<string, unknown>).id)) return value as unknown as CreRecord
  throw broken('a description record')
}

function isRecordOf(value: unknown, fields: ReadonlyMap<string, Check>): boolean {
  if (!isObject(value)) return false
  for (const field in value) {
    if (fields.get(field)?.(value[field]) !== true) return false
  }
  return true
}
