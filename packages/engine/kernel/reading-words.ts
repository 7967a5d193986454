// The words before a time: the twin of src/scan/reading/words.ts.

import { isDigit, isSeparator, isSpace } from './reading-bytes'

/** The names of levels in lower case, each in eight bytes, padded with zeros. */
const LEVELS: usize = memory.data<u8>([
  116, 114, 97, 99, 101, 0, 0, 0, 100, 101, 98, 117, 103, 0, 0, 0, 105, 110, 102, 111, 0, 0, 0, 0, 110, 111, 116, 105,
  99, 101, 0, 0, 119, 97, 114, 110, 0, 0, 0, 0, 119, 97, 114, 110, 105, 110, 103, 0, 101, 114, 114, 111, 114, 0, 0, 0,
  101, 114, 114, 0, 0, 0, 0, 0, 99, 114, 105, 116, 0, 0, 0, 0, 99, 114, 105, 116, 105, 99, 97, 108, 102, 97, 116, 97,
  108, 0, 0, 0, 112, 97, 110, 105, 99, 0, 0, 0, 115, 101, 118, 101, 114, 101, 0, 0, 97, 108, 101, 114, 116, 0, 0, 0,
  101, 109, 101, 114, 103, 0, 0, 0, 118, 101, 114, 98, 111, 115, 101, 0, 102, 105, 110, 101, 0, 0, 0, 0, 102, 105,
  110, 101, 114, 0, 0, 0, 102, 105, 110, 101, 115, 116, 0, 0, 99, 111, 110, 102, 105, 103, 0, 0, 105, 0, 0, 0, 0, 0,
  0, 0, 119, 0, 0, 0, 0, 0, 0, 0, 101, 0, 0, 0, 0, 0, 0, 0, 102, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 118,
  0, 0, 0, 0, 0, 0, 0, 116, 0, 0, 0, 0, 0, 0, 0,
])
const LEVEL_COUNT: u32 = 27

export function areOfLogger(start: usize, end: usize): bool {
  for (let at = start; at < end; at++) {
    const word = at
    while (at < end && !isSeparator(load<u8>(at))) at++
    if (at > word && !isOfLogger(word, at) && !isBeforeBar(at, end)) return false
  }
  return true
}

function isBeforeBar(start: usize, end: usize): bool {
  let at = start
  while (at < end && isSpace(load<u8>(at))) at++
  return at < end && load<u8>(at) == 124
}

function isOfLogger(start: usize, end: usize): bool {
  let hasJoint = false
  for (let at = start; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (isDigit(byte) || isSign(byte)) return true
    if (byte >= 45 && byte <= 47) hasJoint = true
    if (byte == 95) hasJoint = true
  }
  return isLevel(start, end) || (hasJoint && load<u8>(end - 1) != 58)
}

/** Brackets, and the sign between a key and a value: [ ] ( ) < > = */
@inline
function isSign(byte: u32): bool {
  return byte == 91 || byte == 93 || byte == 40 || byte == 41 || byte - 60 < 3
}

function isLevel(start: usize, end: usize): bool {
  const last = load<u8>(end - 1) == 58 ? end - 1 : end
  const length = last - start
  if (length == 0 || length > 8) return false
  let name: u64 = 0
  for (let i: usize = 0; i < length; i++) {
    const byte = <u32>load<u8>(start + i)
    const letter = byte - 65 < 26 ? byte | 32 : byte
    name |= <u64>letter << (<u64>i << 3)
  }
  for (let i: u32 = 0; i < LEVEL_COUNT; i++) if (load<u64>(LEVELS + (<usize>i << 3)) == name) return true
  return false
}

export function startsWithLevel(start: usize, end: usize): bool {
  let at = start
  while (at < end && (<u32>load<u8>(at) | 32) - 97 < 26) at++
  return at > start && isLevel(start, at)
}
