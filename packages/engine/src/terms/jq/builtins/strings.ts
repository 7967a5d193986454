import { allocate, HEADER_BYTES, SLOT_BYTES, spend } from '../evaluation.js'
import { index, occurrences, valuesOf } from '../values/access.js'
import { add, concat, describe, splitText } from '../values/arithmetic.js'
import { toText } from '../values/formats.js'
import { byteLength } from '../values/json-text.js'
import { isArray, JqError, toDouble, type Value } from '../values/value.js'
import type { FunctionTable } from './index.js'

/** Builtins for strings. */
export const STRING_FUNCTIONS: FunctionTable = {
  'startswith/1': (input, part) =>
    bothStrings('startswith', input, part!) && (input as string).startsWith(part as string),
  'endswith/1': (input, part) => bothStrings('endswith', input, part!) && (input as string).endsWith(part as string),
  'ltrimstr/1': (input, part) =>
    typeof input === 'string' && typeof part === 'string' && input.startsWith(part) ? input.slice(part.length) : input,
  'rtrimstr/1': (input, part) => trimEnd(input, part!),
  'trimstr/1': (input, part) => {
    const rest =
      typeof input === 'string' && typeof part === 'string' && input.startsWith(part) ? input.slice(part.length) : input
    return trimEnd(rest, part!)
  },
  'trim/0': (input) => trimmed(input).trim(),
  'ltrim/0': (input) => trimmed(input).trimStart(),
  'rtrim/0': (input) => trimmed(input).trimEnd(),
  'ascii_downcase/0': (input) => ofText(input, 'explode').replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  'ascii_upcase/0': (input) => ofText(input, 'explode').replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
  'explode/0': (input) => {
    const text = ofText(input, 'explode')
    allocate(HEADER_BYTES + text.length * SLOT_BYTES)
    spend(text.length >>> 2)
    return Array.from(text, (c) => c.codePointAt(0)!)
  },
  'implode/0': implode,
  'split/1': (input, separator) => {
    if (typeof input !== 'string' || typeof separator !== 'string') {
      throw new JqError('split input and separator must be strings')
    }
    return splitText(input, separator)
  },
  'join/1': (input, separator) => join(valuesOf(input), separator!),
  'indices/1': indices,
  'index/1': (input, part) => {
    const found = indices(input, part!)
    return isArray(found) ? (found[0] ?? null) : index(found, 0)
  },
  'rindex/1': (input, part) => {
    const found = indices(input, part!)
    return isArray(found) ? (found[found.length - 1] ?? null) : index(index(found, { start: -1, end: null }), 0)
  },
}

function bothStrings(name: string, input: Value, part: Value): boolean {
  if (typeof input === 'string' && typeof part === 'string') return true
  throw new JqError(`${name}() requires string inputs`)
}

function trimEnd(input: Value, part: Value): Value {
  if (typeof input !== 'string' || typeof part !== 'string' || part === '' || !input.endsWith(part)) return input
  return input.slice(0, -part.length)
}

function trimmed(input: Value): string {
  if (typeof input !== 'string') throw new JqError(`${describe(input)} cannot be trimmed`)
  spend(input.length >>> 6)
  return input
}

function ofText(input: Value, name: string): string {
  if (typeof input !== 'string') throw new JqError(`${name} input must be a string`)
  spend((input.length >>> 6) + 1)
  allocate(input.length * 2)
  return input
}

const REPLACEMENT = 0xfffd

function implode(input: Value): Value {
  if (!isArray(input)) throw new JqError('implode input must be an array')
  spend(input.length)
  allocate(input.length * 4)
  let text = ''
  for (const item of input) {
    const number = toDouble(item)
    if (number === undefined || Number.isNaN(number)) {
      throw new JqError(`${describe(item)} can't be imploded, unicode codepoint needs to be numeric`)
    }
    const point = Math.trunc(number)
    const valid = point >= 0 && point <= 0x10ffff && (point & 0x1ff800) !== 0xd800
    text += String.fromCodePoint(valid ? point : REPLACEMENT)
  }
  return text
}

/** Numbers and booleans become strings, null becomes the empty string. */
function join(items: readonly Value[], separator: Value): Value {
  let text: Value = null
  for (const item of items) {
    spend(1)
    const start: Value = text === null ? '' : add(text, separator)
    const plain = typeof item === 'boolean' || toDouble(item) !== undefined ? toText(item) : (item ?? '')
    text = typeof start === 'string' && typeof plain === 'string' ? concat(start, plain) : add(start, plain)
  }
  return text ?? ''
}

/** The position of a part in a string, counted in bytes, or in an array; anything else is looked up as a key. */
function indices(input: Value, part: Value): Value {
  if (isArray(input)) return occurrences(input, isArray(part) ? part : [part])
  if (typeof input !== 'string' || typeof part !== 'string') return index(input, part)
  if (part === '') return []
  const found: number[] = []
  let bytes = 0
  let counted = 0
  for (let at = input.indexOf(part); at >= 0; at = input.indexOf(part, at + 1)) {
    spend(1)
    allocate(SLOT_BYTES)
    for (; counted < at; counted++) bytes += unitBytes(input, counted)
    found.push(bytes)
  }
  spend(input.length >>> 4)
  return found
}

/** The bytes of one UTF-16 unit in UTF-8; a surrogate pair has two for each half. */
function unitBytes(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return (unit & 0xf800) === 0xd800 ? 2 : byteLength(unit)
}
