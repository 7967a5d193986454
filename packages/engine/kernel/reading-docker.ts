// Records of Docker's JSON log: the twin of src/scan/reading/docker.ts.

const QUOTE: u32 = 34
const BACKSLASH: u32 = 92

/** Where the values of the last record stand, without their quotes; the stream is 0 or 1, or -1 for neither. */
export let dockerStream: i32 = 0
export let dockerLog: usize = 0
export let dockerLogEnd: usize = 0
export let dockerTime: usize = 0
export let dockerTimeEnd: usize = 0

export function readDocker(start: usize, end: usize): bool {
  return readUsual(start, end) || readAny(start, end)
}

const LOG_KEY: u64 = 0x223a22676f6c227b // {"log":"
const STREAM_KEY: u64 = 0x6d6165727473222c // ,"stream

/** Docker itself always writes the same three keys in the same order without blanks. */
function readUsual(start: usize, end: usize): bool {
  if (start + 16 > end || load<u64>(start) != LOG_KEY) return false
  const logEnd = stringEnd(start + 7, end)
  if (logEnd == 0 || logEnd + 36 > end) return false
  // ","stream":"stdout","time":"
  if (load<u64>(logEnd, 1) != STREAM_KEY || (load<u32>(logEnd, 9) & 0xffffff) != 0x223a22) return false
  const stream = streamAt(logEnd + 12)
  if (stream < 0 || load<u64>(logEnd, 18) != 0x22656d6974222c22 || (load<u16>(logEnd, 26) as u32) != 0x223a) return false
  const time = logEnd + 28
  const timeEnd = stringEnd(time - 1, end)
  if (timeEnd == 0 || timeEnd + 2 != end || load<u8>(timeEnd, 1) != 125) return false
  dockerStream = stream
  dockerLog = start + 8
  dockerLogEnd = logEnd
  dockerTime = time
  dockerTimeEnd = timeEnd
  return true
}

/** The same keys in any order, others among them. */
function readAny(start: usize, end: usize): bool {
  dockerStream = -1
  dockerLog = 0
  dockerTime = 0
  let at = skipBlanks(start, end)
  if (at >= end || load<u8>(at) != 123) return false
  do {
    const key = skipBlanks(at + 1, end)
    const keyEnd = stringEnd(key, end)
    if (keyEnd == 0) return false
    const colon = skipBlanks(keyEnd + 1, end)
    if (colon >= end || load<u8>(colon) != 58) return false
    const value = skipBlanks(colon + 1, end)
    const close = valueEnd(value, end)
    if (close == 0) return false
    if (load<u8>(value) == QUOTE) takeString(key + 1, keyEnd, value + 1, close - 1)
    at = skipBlanks(close, end)
  } while (at < end && load<u8>(at) == 44)
  const isClosed = at < end && load<u8>(at) == 125 && skipBlanks(at + 1, end) == end
  return isClosed && dockerStream >= 0 && dockerLog != 0 && dockerTime != 0
}

const LOG: u32 = 0x676f6c
const TIME: u32 = 0x656d6974
const STREAM: u64 = 0x6d6165727473
const STDOUT: u64 = 0x74756f647473
const STDERR: u64 = 0x727265647473

/** Words of up to six bytes are compared as one number, low byte first. */
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
function skipBlanks(start: usize, end: usize): usize {
  let at = start
  while (at < end && (load<u8>(at) == 32 || load<u8>(at) == 9 || load<u8>(at) == 13)) at++
  return at
}

/** The closing quote of the string that opens at `at`, or 0. Quotes and backslashes are found sixteen bytes at a time. */
function stringEnd(at: usize, end: usize): usize {
  if (at >= end || load<u8>(at) != QUOTE) return 0
  for (let block = at + 1; block < end; ) {
    const bytes = v128.load(block)
    let hits = i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(34)), i8x16.eq(bytes, i8x16.splat(92))))
    let next = block + 16
    while (hits != 0) {
      const place = ctz(hits)
      if (block + place >= end) return 0
      if (load<u8>(block + place) == QUOTE) return block + place
      // What a backslash stands before is no end, also when it is in the next block.
      hits &= ~(3 << place)
      if (place == 15) next++
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

/** Decodes a string where it stands; returns where it now ends. */
export function decodeString(start: usize, end: usize): usize {
  let from = start
  let to = start
  while (from < end) {
    const bytes = v128.load(from)
    const hits = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(92)))
    if (hits == 0 && from + 16 <= end) {
      // What is overwritten has been read: `to` is never ahead of `from`.
      if (to != from) v128.store(to, bytes)
      from += 16
      to += 16
      continue
    }
    const run = min(hits == 0 ? 16 : ctz(hits), end - from)
    if (to != from) copyRun(to, from, run)
    from += run
    to += run
    if (from < end) {
      to = decodeEscape(from, to, end)
      from = escapeEnd
    }
  }
  return to
}

/** Where the last escape ends. */
let escapeEnd: usize = 0

/** Decodes the escape at `from`, writes what it means to `to` and returns where that ends. */
function decodeEscape(from: usize, to: usize, end: usize): usize {
  const next = from + 1 < end ? <u32>load<u8>(from, 1) : 0
  const meaning = escapeOf(next)
  if (meaning != 0) {
    store<u8>(to, <u8>meaning)
    escapeEnd = from + 2
    return to + 1
  }
  const code = next == 117 ? hexAt(from + 2, end) : -1
  if (code < 0) {
    store<u8>(to, <u8>BACKSLASH)
    escapeEnd = from + 1
    return to + 1
  }
  const isHigh = code >= 0xd800 && code < 0xdc00
  const low = isHigh && load<u8>(from, 6) == BACKSLASH && load<u8>(from, 7) == 117 ? hexAt(from + 8, end) : -1
  const isPair = low >= 0xdc00 && low < 0xe000
  escapeEnd = from + (isPair ? 12 : 6)
  return writeCharacter(to, isPair ? 0x10000 + ((code - 0xd800) << 10) + low - 0xdc00 : code)
}

/**
 * Copies up to sixteen bytes to a lower address, and not one more: as two words that may overlap, both read before either is
 * written.
 */
@inline
function copyRun(to: usize, from: usize, length: usize): void {
  if (length >= 8) {
    const first = load<u64>(from)
    const last = load<u64>(from + length - 8)
    store<u64>(to, first)
    store<u64>(to + length - 8, last)
  } else if (length >= 4) {
    const first = load<u32>(from)
    const last = load<u32>(from + length - 4)
    store<u32>(to, first)
    store<u32>(to + length - 4, last)
  } else for (let i: usize = 0; i < length; i++) store<u8>(to + i, load<u8>(from + i))
}

function escapeOf(letter: u32): u32 {
  switch (letter) {
    case 110:
      return 10
    case 34:
    case 92:
    case 47:
      return letter
    case 114:
      return 13
    case 116:
      return 9
    case 98:
      return 8
    case 102:
      return 12
    default:
      return 0
  }
}

function hexAt(at: usize, end: usize): i32 {
  if (at + 4 > end) return -1
  let value = 0
  for (let i = at; i < at + 4; i++) {
    const byte = <u32>load<u8>(i)
    const lower = byte | 32
    let digit: u32
    if (byte - 48 < 10) digit = byte - 48
    else if (lower - 97 < 6) digit = lower - 87
    else return -1
    value = value * 16 + <i32>digit
  }
  return value
}

function writeCharacter(at: usize, code: i32): usize {
  const character = code >= 0xd800 && code < 0xe000 ? 0xfffd : code
  if (character < 0x80) {
    store<u8>(at, <u8>character)
    return at + 1
  }
  if (character < 0x800) {
    store<u8>(at, <u8>(0xc0 | (character >> 6)))
    store<u8>(at, <u8>(0x80 | (character & 63)), 1)
    return at + 2
  }
  if (character < 0x10000) {
    store<u8>(at, <u8>(0xe0 | (character >> 12)))
    store<u8>(at, <u8>(0x80 | ((character >> 6) & 63)), 1)
    store<u8>(at, <u8>(0x80 | (character & 63)), 2)
    return at + 3
  }
  store<u8>(at, <u8>(0xf0 | (character >> 18)))
  store<u8>(at, <u8>(0x80 | ((character >> 12) & 63)), 1)
  store<u8>(at, <u8>(0x80 | ((character >> 6) & 63)), 2)
  store<u8>(at, <u8>(0x80 | (character & 63)), 3)
  return at + 4
}
