// What the bytes of a line say without a time program: the twin of kernel/reading-lines.ts.

import { isDigit } from '../../time/program.js'

const TAB = 9
const RETURN = 13
const SPACE = 32
const QUOTE = 34
const BAR = 124
const [OPEN_BRACKET, CLOSE_BRACKET] = [91, 93]
const [OPEN_BRACE, CLOSE_BRACE] = [123, 125]

/** The length of the byte order mark at `start`: 3 or 0. */
export function markLength(bytes: Uint8Array, start: number, end: number): number {
  return start + 3 <= end && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? 3 : 0
}

/** Whether a line starts with a space or a tab. */
export function isIndented(bytes: Uint8Array, start: number, end: number): boolean {
  return start < end && (bytes[start] === SPACE || bytes[start] === TAB)
}

/**
 * Whether a line is a JSON object, as far as its first and last bytes say. The prefixes of `docker compose logs` (`web-1  | `) and
 * of `kubectl logs --prefix` (`[pod/web-1/app] `) may precede it.
 */
export function isObject(bytes: Uint8Array, start: number, end: number): boolean {
  let last = end - 1
  while (last >= start && (isBlank(bytes[last]) || bytes[last] === RETURN)) last--
  if (last < start || bytes[last] !== CLOSE_BRACE) return false
  const at = skipBlanks(bytes, start, end)
  return opensObject(bytes, at, end) || opensObject(bytes, prefixEnd(bytes, at, end), end)
}

/** Whether a brace opens an object at `at`: a key or the closing brace follows. */
function opensObject(bytes: Uint8Array, at: number, end: number): boolean {
  if (at >= end || bytes[at] !== OPEN_BRACE) return false
  const next = skipBlanks(bytes, at + 1, end)
  return next < end && (bytes[next] === QUOTE || bytes[next] === CLOSE_BRACE)
}

const POD = new TextEncoder().encode('[pod/')

/** The end of a prefix at `start` and of the spaces after it; `end` if there is none. */
function prefixEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  // Most lines that start with a digit start with a time.
  if (isDigit(bytes[start])) return end
  if (bytes[start] === OPEN_BRACKET) {
    if (!POD.every((byte, i) => bytes[start + i] === byte)) return end
    while (at < end && bytes[at] !== CLOSE_BRACKET && !isBlank(bytes[at])) at++
    return at + 1 < end && bytes[at] === CLOSE_BRACKET && bytes[at + 1] === SPACE ? skipBlanks(bytes, at + 1, end) : end
  }
  while (at < end && bytes[at] !== BAR && !isBlank(bytes[at])) at++
  const bar = skipBlanks(bytes, at, end)
  return at > start && bar + 1 < end && bytes[bar] === BAR && bytes[bar + 1] === SPACE
    ? skipBlanks(bytes, bar + 1, end)
    : end
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB
}

function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && isBlank(bytes[at])) at++
  return at
}

const DATE = '0000-00-00T00:00:00'

/** Whether the bytes from `start` to `end` are a time as RFC 3339 has it, with a `T`. */
export function isRfc3339(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start <= DATE.length) return false
  for (let i = 0; i < DATE.length; i++) if (!isLike(bytes[start + i], DATE[i])) return false
  let at = start + DATE.length
  if (bytes[at] === 46) {
    const fraction = ++at
    while (at < end && isDigit(bytes[at])) at++
    if (at === fraction) return false
  }
  if (at + 1 === end) return bytes[at] === 90
  return (
    at + 6 === end &&
    (bytes[at] === 43 || bytes[at] === 45) &&
    [...'00:00'].every((sign, i) => isLike(bytes[at + 1 + i], sign))
  )
}

function isLike(byte: number, sign: string): boolean {
  return sign === '0' ? isDigit(byte) : byte === sign.charCodeAt(0)
}
