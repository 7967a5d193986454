/** A CRI line after its time. */
export interface CriLine {
  /** 0 for the standard output, 1 for the standard error. */
  stream: number
  /** Whether the entry continues in a later line. */
  partial: boolean
  /** The start of the text. */
  text: number
}

const STREAMS = ['stdout', 'stderr'].map((name) => new TextEncoder().encode(name))

/** The stream that these six bytes name: 0, 1, or -1 for neither. */
export function streamAt(bytes: Uint8Array, at: number): number {
  return STREAMS.findIndex((name) => name.every((byte, i) => bytes[at + i] === byte))
}

/** Reads ` stdout F ` after the time of a line, which ends at `at`. More tags may follow the first one: `P:x`. */
export function readCri(bytes: Uint8Array, at: number, end: number, line: CriLine): boolean {
  if (at + 9 > end || bytes[at] !== 32 || bytes[at + 7] !== 32) return false
  const stream = streamAt(bytes, at + 1)
  const tag = bytes[at + 8]
  if (stream < 0 || (tag !== 70 && tag !== 80)) return false
  let next = at + 9
  if (next < end && bytes[next] === 58) while (next < end && bytes[next] !== 32) next++
  if (next < end && bytes[next] !== 32) return false
  line.stream = stream
  line.partial = tag === 80
  line.text = Math.min(next + 1, end)
  return true
}

/** The positions of the values in a record of Docker's JSON log, without their quotes. */
export interface DockerLine {
  /** 0 for the standard output, 1 for the standard error. */
  stream: number
  log: number
  logEnd: number
  time: number
  timeEnd: number
}

const QUOTE = 34
const BACKSLASH = 92

/**
 * Reads `{"log":"…","stream":"stdout","time":"…"}`, with the keys in any order and other keys between them. It checks only
 * as much of the JSON as is needed to find where these three values end.
 */
export function readDocker(bytes: Uint8Array, start: number, end: number, line: DockerLine): boolean {
  line.stream = line.log = line.time = -1
  let at = skipSpaces(bytes, start, end)
  if (at >= end || bytes[at] !== 123) return false
  do {
    const key = skipSpaces(bytes, at + 1, end)
    const keyEnd = stringEnd(bytes, key, end)
    if (keyEnd < 0) return false
    const colon = skipSpaces(bytes, keyEnd + 1, end)
    if (colon >= end || bytes[colon] !== 58) return false
    const value = skipSpaces(bytes, colon + 1, end)
    const close = valueEnd(bytes, value, end)
    if (close < 0) return false
    if (bytes[value] === QUOTE) takeString(bytes, key + 1, keyEnd, value + 1, close - 1, line)
    at = skipSpaces(bytes, close, end)
  } while (at < end && bytes[at] === 44)
  const isClosed = at < end && bytes[at] === 125 && skipSpaces(bytes, at + 1, end) === end
  return isClosed && line.stream >= 0 && line.log >= 0 && line.time >= 0
}

const LOG = new TextEncoder().encode('log')
const TIME = new TextEncoder().encode('time')
const STREAM = new TextEncoder().encode('stream')

/** Stores a value if its key is one of the three. */
function takeString(
  bytes: Uint8Array,
  key: number,
  keyEnd: number,
  value: number,
  close: number,
  line: DockerLine,
): void {
  if (isWord(LOG, bytes, key, keyEnd)) {
    line.log = value
    line.logEnd = close
  } else if (isWord(TIME, bytes, key, keyEnd)) {
    line.time = value
    line.timeEnd = close
  } else if (isWord(STREAM, bytes, key, keyEnd)) {
    line.stream = close - value === 6 ? streamAt(bytes, value) : -1
  }
}

function isWord(word: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === word.length && word.every((byte, i) => bytes[start + i] === byte)
}

function skipSpaces(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === 13)) at++
  return at
}

/** The closing quote of the string that opens at `at`, or -1. */
function stringEnd(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end || bytes[at] !== QUOTE) return -1
  for (let i = at + 1; i < end; i++) {
    if (bytes[i] === QUOTE) return i
    if (bytes[i] === BACKSLASH) i++
  }
  return -1
}

/** The end of the value at `start`: after a string, or at the comma or bracket after any other value; or -1. */
function valueEnd(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = stringEnd(bytes, at, end)
      if (at < 0) return -1
      if (depth === 0) return at + 1
    } else if (byte === 123 || byte === 91) depth++
    else if (byte === 125 || byte === 93) {
      if (depth === 0) return at
      depth--
    } else if (byte === 44 && depth === 0) return at
  }
  return -1
}

/**
 * Decodes the escapes of a JSON string in place and returns its new end: no escape is shorter than its character in UTF-8.
 * An escape that is not valid JSON is kept; half of a surrogate pair becomes a replacement character.
 */
export function decodeString(bytes: Uint8Array, start: number, end: number): number {
  let from = start
  while (from < end && bytes[from] !== BACKSLASH) from++
  let to = from
  while (from < end) {
    if (bytes[from] !== BACKSLASH) {
      bytes[to++] = bytes[from++]
      continue
    }
    const next = from + 1 < end ? bytes[from + 1] : 0
    const code = next === 117 ? hexAt(bytes, from + 2, end) : -1
    if (code >= 0) {
      const low =
        isHigh(code) && bytes[from + 6] === BACKSLASH && bytes[from + 7] === 117 ? hexAt(bytes, from + 8, end) : -1
      const isPair = low >= 0xdc00 && low < 0xe000
      to = writeCharacter(bytes, to, isPair ? 0x10000 + ((code - 0xd800) << 10) + low - 0xdc00 : code)
      from += isPair ? 12 : 6
      continue
    }
    const meaning = ESCAPES[next] ?? 0
    if (meaning === 0) bytes[to++] = bytes[from++]
    else {
      bytes[to++] = meaning
      from += 2
    }
  }
  return to
}

/** The byte for each letter after a backslash; 0 if the escape is not valid. */
const ESCAPES: readonly number[] = Array.from({ length: 128 }, (_, letter) => {
  const at = 'nrtbf"\\/'.indexOf(String.fromCharCode(letter))
  return at < 0 ? 0 : '\n\r\t\b\f"\\/'.charCodeAt(at)
})

const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00

/** Four hexadecimal digits, or -1. */
function hexAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 > end) return -1
  let value = 0
  for (let i = at; i < at + 4; i++) {
    const digit = hexDigit(bytes[i])
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** Writes a character as UTF-8; returns the end. */
function writeCharacter(bytes: Uint8Array, at: number, code: number): number {
  const character = code >= 0xd800 && code < 0xe000 ? 0xfffd : code
  if (character < 0x80) {
    bytes[at] = character
    return at + 1
  }
  const size = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4
  for (let i = size - 1, rest = character; i >= 0; i--, rest >>= 6) bytes[at + i] = 0x80 | (rest & 63)
  bytes[at] = LEAD[size] | (character >> (6 * (size - 1)))
  return at + size
}

const LEAD = [0, 0, 0xc0, 0xe0, 0xf0]
