import { correctionFor } from './galois.js'
import { dataBytesOf, type Level, lengthBitsOf, VERSIONS, type Version } from './versions.js'

const BYTE_MODE = 0b0100
const MODE_BITS = 4

/** What fills the space after the text, in turns. */
const PADDING = [0xec, 0x11]

/** The smallest symbol that a text fits into, with as much correction as fits into that size. */
export function symbolFor(length: number): { readonly version: Version; readonly level: Level } | undefined {
  const holds = (version: Version, level: Level) =>
    MODE_BITS + lengthBitsOf(version) + 8 * length <= 8 * dataBytesOf(version, level)
  const version = VERSIONS.find((candidate) => holds(candidate, 'L'))
  return version && { version, level: holds(version, 'M') ? 'M' : 'L' }
}

/** The bytes of a symbol in the order in which they are drawn: data and correction of all blocks, in turns. */
export function codewordsOf(text: Uint8Array, version: Version, level: Level): Uint8Array {
  const { count, correction } = version.blocks[level]
  const blocks = divide(dataOf(text, version, level), count)
  const corrections = blocks.map((block) => correctionFor(block, correction))
  return Uint8Array.from([...inTurns(blocks), ...inTurns(corrections)])
}

function dataOf(text: Uint8Array, version: Version, level: Level): Uint8Array {
  const data = new Uint8Array(dataBytesOf(version, level))
  let bits = 0
  const append = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--, bits++) data[bits >> 3]! |= ((value >> bit) & 1) << (7 - (bits & 7))
  }
  append(BYTE_MODE, MODE_BITS)
  append(text.length, lengthBitsOf(version))
  for (const byte of text) append(byte, 8)
  // Up to four zeros end the text, and more fill its last byte: the data is made of them already.
  const used = Math.ceil(Math.min(bits + 4, 8 * data.length) / 8)
  for (let i = used; i < data.length; i++) data[i] = PADDING[(i - used) % 2]!
  return data
}

/** Where the blocks are not all of one length, the last ones have a byte more. */
function divide(data: Uint8Array, count: number): readonly Uint8Array[] {
  const short = Math.floor(data.length / count)
  const shorter = count - (data.length % count)
  let start = 0
  return Array.from({ length: count }, (_, index) => {
    const end = start + short + (index < shorter ? 0 : 1)
    const block = data.subarray(start, end)
    start = end
    return block
  })
}

function* inTurns(blocks: readonly Uint8Array[]): Generator<number> {
  const longest = Math.max(...blocks.map(({ length }) => length))
  for (let i = 0; i < longest; i++) for (const block of blocks) if (i < block.length) yield block[i]!
}
