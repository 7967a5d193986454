import { allocate, spend } from '../evaluation.js'
import { describe } from './arithmetic.js'
import { toJson } from './json-text.js'
import { formatNumber } from './number-text.js'
import { isArray, JqError, toDouble, type Value, wellFormed } from './value.js'

/** `tostring`: a string as it is, anything else as JSON. */
export function toText(value: Value): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? formatNumber(value) : toJson(value)
}

const HTML: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', '"': '&quot;' }
const TSV: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

/** How each `@name` formats a value. */
const FORMATS: ReadonlyMap<string, (value: Value) => string> = new Map([
  ['text', toText],
  ['json', toJson],
  ['csv', (value) => row(value, 'csv', (text) => `"${text.replaceAll('"', '""')}"`).join(',')],
  ['tsv', (value) => row(value, 'tsv', (text) => text.replace(/[\t\n\r\\]/g, (c) => TSV[c]!)).join('\t')],
  ['html', (value) => toText(value).replace(/[<>&'"]/g, (c) => HTML[c]!)],
  ['uri', (value) => encodeUri(toText(value))],
  ['urid', (value) => decodeUri(toText(value))],
  ['sh', (value) => (isArray(value) ? value : [value]).map(shellWord).join(' ')],
  ['base64', (value) => encodeBase64(utf8(toText(value)))],
  ['base64d', (value) => decodeBase64(toText(value))],
  ['base32', (value) => encodeBase32(utf8(toText(value)))],
  ['base32d', (value) => decodeBase32(toText(value))],
])

export function isFormat(name: string): boolean {
  return FORMATS.has(name)
}

/** A value in one of the formats such as `@base64`. */
export function format(name: string, value: Value): string {
  const write = FORMATS.get(name)
  if (write === undefined) throw new JqError(`${name} is not a valid format`)
  if (typeof value === 'string') spend(value.length >>> 2)
  const text = write(value)
  allocate(text.length * 2)
  return text
}

function row(value: Value, name: string, quote: (text: string) => string): string[] {
  if (!isArray(value)) throw new JqError(`${describe(value)} cannot be ${name}-formatted, only array`)
  spend(value.length)
  return value.map((cell) => {
    if (cell === null) return ''
    if (typeof cell === 'string') return quote(cell)
    if (typeof cell === 'boolean' || toDouble(cell) !== undefined) return toJson(cell)
    throw new JqError(`${describe(cell)} is not valid in a csv row`)
  })
}

function shellWord(value: Value): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "'\\''")}'`
  if (typeof value === 'object' && value !== null && toDouble(value) === undefined) {
    throw new JqError(`${describe(value)} can not be escaped for shell`)
  }
  return toJson(value)
}

function encodeUri(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function decodeUri(text: string): string {
  const bytes: number[] = []
  for (let i = 0; i < text.length; i++) {
    const hex = text[i] === '%' ? /^[0-9a-fA-F]{2}/.exec(text.slice(i + 1, i + 3)) : undefined
    if (hex === null) throw new JqError(`${describe(text)} is not a valid uri encoding`)
    if (hex === undefined) {
      bytes.push(...utf8(text[i]!))
    } else {
      bytes.push(Number.parseInt(hex[0], 16))
      i += 2
    }
  }
  return fromUtf8(Uint8Array.from(bytes))
}

export function utf8(text: string): Uint8Array {
  allocate(text.length * 3)
  return new TextEncoder().encode(text)
}

function fromUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function encodeBase64(bytes: Uint8Array): string {
  return encodeBits(bytes, BASE64, 6, 4)
}

function encodeBase32(bytes: Uint8Array): string {
  return encodeBits(bytes, BASE32, 5, 8)
}

/** Writes bytes as letters of `width` bits each, filled up with `=` to whole groups. */
function encodeBits(bytes: Uint8Array, letters: string, width: number, group: number): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    held += 8
    while (held >= width) {
      held -= width
      text += letters[(bits >>> held) & ((1 << width) - 1)]
    }
    bits &= (1 << held) - 1
  }
  if (held > 0) text += letters[(bits << (width - held)) & ((1 << width) - 1)]
  return text.padEnd(Math.ceil(text.length / group) * group, '=')
}

function decodeBase64(text: string): string {
  const letters = text.split('=', 1)[0]!
  const bytes = decodeBits(letters, BASE64, 6)
  if (bytes === undefined || !/^[=A-Za-z0-9+/]*$/.test(text)) {
    throw new JqError(`${describe(text)} is not valid base64 data`)
  }
  if (letters.length % 4 === 1) throw new JqError(`${describe(text)} trailing base64 byte found`)
  return fromUtf8(bytes)
}

function decodeBase32(text: string): string {
  const bytes = decodeBits(text.replace(/=+$/, ''), BASE32, 5)
  if (bytes === undefined) throw new JqError(`${describe(text)} is not valid base32 data`)
  return fromUtf8(bytes)
}

function decodeBits(text: string, letters: string, width: number): Uint8Array | undefined {
  const bytes = new Uint8Array((text.length * width) >>> 3)
  let bits = 0
  let held = 0
  let length = 0
  for (const c of text) {
    const letter = letters.indexOf(c)
    if (letter < 0) return undefined
    bits = ((bits << width) | letter) & 0xffff
    held += width
    if (held >= 8) {
      held -= 8
      bytes[length++] = (bits >>> held) & 0xff
    }
  }
  return bytes.subarray(0, length)
}
