import { allocate, spend } from '../evaluation.js'
import { formatNumber } from './number-text.js'
import { Decimal, type JqObject, plainKey, type Value } from './value.js'

/** A value as compact JSON, keys in the order in which they were inserted. */
export function toJson(value: Value): string {
  const out: string[] = []
  write(value, out)
  let length = 0
  for (const part of out) length += part.length
  allocate(length * 2)
  return out.join('')
}

/** A container that is being written: its items, the keys of an object, and how many are done. */
interface Open {
  readonly items: readonly Value[]
  readonly keys: readonly string[] | null
  next: number
}

/** Without the JavaScript stack, because a value may be nested more deeply than that allows. */
function write(value: Value, out: string[]): void {
  const stack: Open[] = []
  let current = value
  for (;;) {
    const scalar = scalarText(current)
    if (scalar === undefined) stack.push(open(current as readonly Value[] | JqObject))
    else out.push(scalar)
    let top = stack[stack.length - 1]
    while (top !== undefined && top.next === top.items.length) {
      out.push(close(top))
      stack.pop()
      top = stack[stack.length - 1]
    }
    if (top === undefined) return
    spend(1)
    const { keys, next } = top
    if (next > 0) out.push(',')
    else out.push(keys === null ? '[' : '{')
    if (keys !== null) out.push(quote(plainKey(keys[next]!)), ':')
    current = top.items[top.next++]!
  }
}

function scalarText(value: Value): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'string') return quote(value)
  return value instanceof Decimal ? value.text : undefined
}

function open(value: readonly Value[] | JqObject): Open {
  spend(1)
  if (Array.isArray(value)) return { items: value, keys: null, next: 0 }
  return { items: Object.values(value), keys: Object.keys(value), next: 0 }
}

function close({ items, keys }: Open): string {
  if (items.length === 0) return keys === null ? '[]' : '{}'
  return keys === null ? ']' : '}'
}

function quote(text: string): string {
  spend(text.length >>> 6)
  // The only difference from JSON.stringify: U+007F is escaped as well.
  const quoted = JSON.stringify(text)
  return quoted.includes('\x7f') ? quoted.replaceAll('\x7f', '\\u007f') : quoted
}

// What jq shows of a value in a message.
const EXCERPT_BYTES = 14

/** The start of a value's JSON, for an error message. Long values are cut before they are written out in full. */
export function excerpt(value: Value, bytes = EXCERPT_BYTES): string {
  const out: string[] = []
  writeStart(value, out, bytes + 1)
  const text = out.join('')
  return utf8Length(text) <= bytes ? text : `${cutBytes(text, bytes - 3)}...`
}

function writeStart(value: Value, out: string[], limit: number): number {
  if (limit <= 0) return 0
  if (typeof value === 'string') return push(quote(value.slice(0, limit)), out, limit)
  const scalar = scalarText(value)
  if (scalar !== undefined) return push(scalar, out, limit)
  const list = Array.isArray(value)
  const container = value as readonly Value[] | JqObject
  let left = push(list ? '[' : '{', out, limit)
  let first = true
  for (const key of list ? value.keys() : Object.keys(container)) {
    if (left <= 0) break
    if (!first) left = push(',', out, left)
    if (!list) left = push(`${quote(plainKey(String(key)))}:`, out, left)
    left = writeStart((container as Record<string | number, Value>)[key]!, out, left)
    first = false
  }
  return push(list ? ']' : '}', out, left)
}

function push(text: string, out: string[], limit: number): number {
  out.push(text)
  return limit - text.length
}

function utf8Length(text: string): number {
  let length = 0
  for (const c of text) length += byteLength(c.codePointAt(0)!)
  return length
}

export function byteLength(codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4
}

function cutBytes(text: string, bytes: number): string {
  let out = ''
  let left = bytes
  for (const c of text) {
    left -= byteLength(c.codePointAt(0)!)
    if (left < 0) break
    out += c
  }
  return out
}
