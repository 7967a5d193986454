// The words before a time: the twin of kernel/reading-words.ts. A date after other words may be part of a message, such as the end
// of a certificate in a stack trace. It is the time of a line only if what precedes it is what loggers write there.

import { isDigit } from '../../time/program.js'

/** The names of levels, in lower case. */
const LEVELS = new Set(
  (
    'trace debug info notice warn warning error err crit critical fatal panic severe alert emerg ' +
    'verbose fine finer finest config i w e f d v t'
  ).split(' '),
)

/** Bytes that are in what loggers write, and in few words: brackets, and the sign between a key and a value. */
const SIGNS = new Set(Array.from('[]()<>=', (sign) => sign.charCodeAt(0)))
/** Bytes that are in the names of hosts, files and classes. */
const JOINTS = new Set(Array.from('-._/', (sign) => sign.charCodeAt(0)))
const COLON = 58
const BAR = 124

function isSeparator(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 124 || byte === 44 || byte === 59
}

/** Whether every word of these bytes is a host, a process, a thread, a level or the like. */
export function areOfLogger(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const word = at
    while (at < end && !isSeparator(bytes[at])) at++
    if (at > word && !isOfLogger(bytes, word, at) && !isBeforeBar(bytes, at, end)) return false
  }
  return true
}

/** Whether a bar follows, as after the names of `docker compose logs`. */
function isBeforeBar(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  while (at < end && (bytes[at] === 32 || bytes[at] === 9)) at++
  return at < end && bytes[at] === BAR
}

/** Whether a word has a digit or a sign, is a level, or is a name of several parts. */
function isOfLogger(bytes: Uint8Array, start: number, end: number): boolean {
  const word = bytes.subarray(start, end)
  if (word.some((byte) => isDigit(byte) || SIGNS.has(byte))) return true
  return isLevel(bytes, start, end) || (bytes[end - 1] !== COLON && word.some((byte) => JOINTS.has(byte)))
}

/** Whether a word is the name of a level; a colon may follow it. */
function isLevel(bytes: Uint8Array, start: number, end: number): boolean {
  const last = bytes[end - 1] === COLON ? end - 1 : end
  return LEVELS.has(String.fromCharCode(...bytes.subarray(start, Math.min(last, start + 9))).toLowerCase())
}

/** Whether a line starts with the name of a level. */
export function startsWithLevel(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  while (at < end && isLetter(bytes[at])) at++
  return at > start && isLevel(bytes, start, at)
}

function isLetter(byte: number): boolean {
  return (byte | 32) >= 97 && (byte | 32) <= 122
}
