// Records of Docker's JSON log: the twin of src/scan/reading/docker.ts.

import { removeEscapes } from './reading-escapes'
import { decodedBackslash, decodedEscape, decodeString, dropBackslashes, hasQuotes, quotedEnd } from './reading-strings'

const QUOTE: u32 = 34

/** Positions of the values of the last record, without quotes; the stream is 0, 1, or -1 for neither. */
export let dockerStream: i32 = 0
export let dockerLog: usize = 0
export let dockerLogEnd: usize = 0
export let dockerTime: usize = 0
export let dockerTimeEnd: usize = 0
/** The end of the log text if its only escapes are `\"` and a final `\n`; otherwise 0. */
export let dockerQuotedEnd: usize = 0

export function readDocker(start: usize, end: usize): bool {
  dockerQuotedEnd = 0
  return readUsual(start, end) || readAny(start, end)
}

const LOG_KEY: u64 = 0x223a22676f6c227b // {"log":"
const STREAM_KEY: u64 = 0x6d6165727473222c // ,"stream
const TIME_KEY: u64 = 0x22656d6974222c22 // ","time"
const CLOSE: u32 = 0x7d22 // "}

/** From the quote that closes the log to the first byte of the time: `","stream":"stdout","time":"`. */
const BETWEEN: usize = 28

/** A time written by Docker has at most 30 bytes, so its opening quote is within this distance of the end. */
const TIME_WINDOW: usize = 32

/** Docker always writes the same three keys in the same order without spaces. */
function readUsual(start: usize, end: usize): bool {
  if (start + 8 + BETWEEN + 2 > end || load<u64>(start) != LOG_KEY || load<u16>(end - 2) != CLOSE) return false
  if (readTail(start, end)) dockerQuotedEnd = quotedEnd(start + 8, dockerLogEnd)
  if (dockerQuotedEnd != 0) return true
  const close = stringEnd(start + 7, end)
  if (close == 0 || close + BETWEEN + 2 > end || !isBetween(close)) return false
  const time = close + BETWEEN
  if (stringEnd(time - 1, end) + 2 != end) return false
  take(start, close, time, end - 2)
  return true
}

/** Reads the record from its end, which has nearly the same form in all records; the log is everything before it. */
@inline
function readTail(start: usize, end: usize): bool {
  const window = end - 2 - TIME_WINDOW
  const low = i8x16.bitmask(i8x16.eq(v128.load(window), i8x16.splat(34)))
  const high = i8x16.bitmask(i8x16.eq(v128.load(window, 16), i8x16.splat(34)))
  const time = end - 2 - <usize>clz(low | (high << 16))
  if (time < start + 8 + BETWEEN || !isBetween(time - BETWEEN)) return false
  take(start, time - BETWEEN, time, end - 2)
  return true
}

@inline
function take(start: usize, logEnd: usize, time: usize, timeEnd: usize): void {
  dockerStream = streamAt(logEnd + 12)
  dockerLog = start + 8
  dockerLogEnd = logEnd
  dockerTime = time
  dockerTimeEnd = timeEnd
}

@inline
function isBetween(at: usize): bool {
  return (
    load<u64>(at, 1) == STREAM_KEY &&
    load<u64>(at, 18) == TIME_KEY &&
    (load<u32>(at, 9) & 0xffffff) == 0x223a22 &&
    (load<u16>(at, 26) as u32) == 0x223a &&
    load<u8>(at) == QUOTE &&
    streamAt(at + 12) >= 0
  )
}

/** Reads the keys in any order, with other keys between them. */
function readAny(start: usize, end: usize): bool {
  dockerStream = -1
  dockerLog = 0
  dockerTime = 0
  let at = skipSpaces(start, end)
  if (at >= end || load<u8>(at) != 123) return false
  do {
    const key = skipSpaces(at + 1, end)
    const keyEnd = stringEnd(key, end)
    if (keyEnd == 0) return false
    const colon = skipSpaces(keyEnd + 1, end)
    if (colon >= end || load<u8>(colon) != 58) return false
    const value = skipSpaces(colon + 1, end)
    const close = valueEnd(value, end)
    if (close == 0) return false
    if (load<u8>(value) == QUOTE) takeString(key + 1, keyEnd, value + 1, close - 1)
    at = skipSpaces(close, end)
  } while (at < end && load<u8>(at) == 44)
  const isClosed = at < end && load<u8>(at) == 125 && skipSpaces(at + 1, end) == end
  return isClosed && dockerStream >= 0 && dockerLog != 0 && dockerTime != 0
}

const LOG: u32 = 0x676f6c
const TIME: u32 = 0x656d6974
const STREAM: u64 = 0x6d6165727473
const STDOUT: u64 = 0x74756f647473
const STDERR: u64 = 0x727265647473

/** Names of up to six bytes are compared as one little-endian number. */
@inline
function takeString(key: usize, keyEnd: usize, value: usize, close: usize): void {
  const length = keyEnd - key
  if (length == 3 && (load<u32>(key) & 0xffffff) == LOG) {
    dockerLog = value
    dockerLogEnd = close
  } else if (length == 4 && load<u32>(key) == TIME) {
    dockerTime = value
    dockerTimeEnd = close
  } else if (length == 6 && (load<u64>(key) & 0xffffffffffff) == STREAM) {
    dockerStream = close - value == 6 ? streamAt(value) : -1
  }
}

/** Which stream these six bytes name: 0, 1, or -1 for neither. */
export function streamAt(at: usize): i32 {
  const word = load<u64>(at) & 0xffffffffffff
  return word == STDOUT ? 0 : word == STDERR ? 1 : -1
}

@inline
function skipSpaces(start: usize, end: usize): usize {
  let at = start
  while (at < end && (load<u8>(at) == 32 || load<u8>(at) == 9 || load<u8>(at) == 13)) at++
  return at
}

/** The closing quote of the string that opens at `at`, or 0. Searches 16 bytes at a time. */
function stringEnd(at: usize, end: usize): usize {
  if (at >= end || load<u8>(at) != QUOTE) return 0
  for (let block = at + 1; block < end; ) {
    const bytes = v128.load(block)
    let hits = i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(34)), i8x16.eq(bytes, i8x16.splat(92))))
    let next = block + 16
    while (hits != 0) {
      const offset = ctz(hits)
      if (block + offset >= end) return 0
      if (load<u8>(block + offset) == QUOTE) return block + offset
      // A byte after a backslash does not end the string, even if it is in the next block.
      hits &= ~(3 << offset)
      if (offset == 15) next++
    }
    block = next
  }
  return 0
}

function valueEnd(start: usize, end: usize): usize {
  let depth = 0
  for (let at = start; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte == QUOTE) {
      at = stringEnd(at, end)
      if (at == 0) return 0
      if (depth == 0) return at + 1
    } else if (byte == 123 || byte == 91) depth++
    else if (byte == 125 || byte == 93) {
      if (depth == 0) return at
      depth--
    } else if (byte == 44 && depth == 0) return at
  }
  return 0
}

/** Whether the text of the last record ended with a line feed, which is not part of the entry. */
export let dockerEndsLine: bool = false
/** Whether it has a backslash after decoding. */
export let dockerHasBackslash: bool = false

/** Decodes the text of the last record in place, and removes its escape sequences; returns its new end. */
@inline
export function decodeLog(): usize {
  if (dockerQuotedEnd != 0) {
    dockerEndsLine = dockerQuotedEnd < dockerLogEnd
    dockerHasBackslash = false
    return hasQuotes ? dropBackslashes(dockerLog, dockerQuotedEnd) : dockerQuotedEnd
  }
  const decoded = decodeString(dockerLog, dockerLogEnd)
  dockerHasBackslash = decodedBackslash
  const end = decodedEscape ? removeEscapes(dockerLog, decoded) : decoded
  dockerEndsLine = end > dockerLog && load<u8>(end - 1) == 10
  return dockerEndsLine ? end - 1 : end
}
