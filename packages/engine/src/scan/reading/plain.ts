import type { FoundTime } from '../../time/finish.js'
import { runTime } from '../../time/run.js'
import type { WallClock } from '../../time/wall-clock.js'
import type { ReadingFunctions } from '../kernel/kernel.js'
import type { KernelMemory } from '../kernel/memory.js'
import {
  DOCKER_PIECE,
  ENTRY_FLAG,
  KIND,
  LONGEST,
  PARTIAL,
  REVIEW_AFTER,
  STATE,
  WANTS,
} from '../kernel/reading-layout.js'
import { type CriLine, type DockerLine, decodeString, readCri, readDocker } from './containers.js'
import {
  addToOpen,
  addToPartial,
  type Block,
  blockAt,
  emit,
  emitOpen,
  emitPartial,
  noteCut,
  openEntry,
} from './entries.js'
import { removeEscapes } from './escapes.js'
import { streamClock } from './local-time.js'
import { markLength } from './probe.js'

/** Finds the time of a line, the bytes from `start` to `end` of kernel memory. */
export type LineTime = (start: number, end: number, found: FoundTime) => boolean

/** The TypeScript twin of kernel/reading.ts: the oracle in tests, and the fallback without SIMD. */
export function plainReading(memory: KernelMemory): ReadingFunctions {
  return { readLines: (state) => readLinesWith(memory, state) }
}

/** Reads lines as the kernel does; `timeOf` replaces the time program of the state block. */
export function readLinesWith(memory: KernelMemory, state: number, timeOf?: LineTime): number {
  const block = blockAt(memory, state)
  const { words, bytes } = block
  const find = timeOf ?? programTime(block, streamClock(memory, state))
  const data = bytes.subarray(0, words[STATE.limit])
  const final = words[STATE.final] === 1
  words[STATE.count] = 0
  for (;;) {
    if (words[STATE.count] === words[STATE.capacity]) return WANTS.delivery
    const start = words[STATE.at]
    const lineFeed = data.indexOf(10, words[STATE.searched])
    const next = lineFeed < 0 ? data.length : lineFeed + 1
    if (words[STATE.skipping] === 1) {
      passTo(words, next, lineFeed >= 0 || final)
      if (lineFeed < 0 && !final) return WANTS.bytes
      words[STATE.skipping] = 0
      continue
    }
    if (lineFeed < 0 && next - start < LONGEST + 2) {
      words[STATE.searched] = next
      if (!final) return WANTS.bytes
      if (next === start) return finishEntries(block)
    }
    const lineEnd = lineFeed < 0 ? next : lineFeed > start && bytes[lineFeed - 1] === 13 ? lineFeed - 1 : lineFeed
    const end = Math.min(lineEnd, start + LONGEST)
    if (end < lineEnd) noteCut(words)
    const plain = withoutEscapes(block, start, end)
    lineFlags = flagsOf(bytes, plain, end)
    const wants = takeLine(block, find, plain, end)
    if (wants === WANTS.deliveryFirst) return WANTS.delivery
    passTo(words, next, lineFeed >= 0 || final)
    if (lineFeed < 0 && !final) words[STATE.skipping] = 1
    if (wants !== WANTS.bytes) return wants
  }
}

/** ENTRY_FLAG bits of the line that is taken. */
let lineFlags = 0

function flagsOf(bytes: Uint8Array, start: number, end: number): number {
  return bytes.subarray(start, end).includes(BACKSLASH) ? ENTRY_FLAG.backslash : 0
}

const BACKSLASH = 92

/**
 * Removes the escape sequences of a line; returns its new start. The end of the line stays where it is, so that the line can
 * be read again if the host must act first.
 */
function withoutEscapes({ words, bytes }: Block, start: number, end: number): number {
  const textEnd = removeEscapes(bytes, start, end)
  if (textEnd === end) return start
  const moved = start + end - textEnd
  bytes.copyWithin(moved, start, textEnd)
  words[STATE.at] = moved
  words[STATE.searched] = moved
  return moved
}

function programTime({ words, bytes }: Block, clock: WallClock): LineTime {
  const program = bytes.subarray(words[STATE.program])
  return (start, end, found) => runTime(program, bytes, start, end, clock, found)
}

function passTo(words: Uint32Array, next: number, isLineEnd: boolean): void {
  words[STATE.at] = next
  words[STATE.searched] = next
  if (isLineEnd) words[STATE.line]++
}

/** At the end of the data everything pending becomes an entry, in the order of first lines. */
function finishEntries(block: Block): number {
  const { words } = block
  emitOpen(block)
  const [first, second] = [STATE.partials, STATE.partials + PARTIAL.size]
  const [a, b] = [words[first + PARTIAL.line], words[second + PARTIAL.line]]
  if (a === 0 && b === 0) return WANTS.bytes
  if (words[STATE.count] === 0) emitPartial(block, b === 0 || (a !== 0 && a < b) ? first : second)
  return WANTS.delivery
}

const found: FoundTime = { seconds: 0, nanos: 0, start: 0, end: 0 }
const cri: CriLine = { stream: 0, partial: false, text: 0 }
const docker: DockerLine = { stream: 0, log: 0, logEnd: 0, time: 0, timeEnd: 0 }

function foundTime(): bigint {
  return BigInt(found.seconds) * 1_000_000_000n + BigInt(found.nanos)
}

/** Takes a line without its line end. A byte order mark at the start of the data is not part of the text. */
function takeLine(block: Block, find: LineTime, lineStart: number, end: number): number {
  const { words, longs, bytes } = block
  const start = words[STATE.line] === 1 ? lineStart + markLength(bytes, lineStart, end) : lineStart
  switch (words[STATE.kind]) {
    case KIND.none:
      emit(block, start, end, words[STATE.line], longs[STATE.clock >> 1], lineFlags)
      return WANTS.bytes
    case KIND.cri:
      return takeCri(block, find, start, end)
    case KIND.docker:
      return takeDocker(block, find, start, end)
    default:
      return takeTimed(block, find, start, end)
  }
}

const SPACE = 32
const COMMA = 44

function takeTimed(block: Block, find: LineTime, start: number, end: number): number {
  const { words, bytes } = block
  if (!find(start, end, found)) {
    if (words[STATE.open] === 0) return openFollower(block, start, end)
    addToOpen(block, start, end, lineFlags)
    return missed(words)
  }
  emitOpen(block)
  met(words)
  const after = found.end < end ? bytes[found.end] : 0
  const isRest = words[STATE.kind] === KIND.rest && after === SPACE
  if (after === COMMA) lineFlags |= ENTRY_FLAG.comma
  openEntry(block, isRest ? found.end + 1 : start, end, foundTime(), lineFlags)
  return WANTS.bytes
}

/** A line without a time and without an open entry: the entry before it was delivered early, or there was none. */
function openFollower(block: Block, start: number, end: number): number {
  if (block.words[STATE.hasTime] === 1) openEntry(block, start, end, block.longs[STATE.lastTime >> 1], lineFlags)
  return WANTS.bytes
}

function met(words: Uint32Array): void {
  words[STATE.timeless] = 0
  words[STATE.reviewAt] = REVIEW_AFTER
}

function missed(words: Uint32Array): number {
  return ++words[STATE.timeless] === words[STATE.reviewAt] ? WANTS.review : WANTS.bytes
}

/** A line that is not a record of the container runtime is an entry with the time of the entry before. */
function takeForeign(block: Block, start: number, end: number): number {
  const { words, longs } = block
  if (words[STATE.hasTime] === 0) return WANTS.bytes
  emit(block, start, end, words[STATE.line], longs[STATE.lastTime >> 1], lineFlags)
  return missed(words)
}

function takeCri(block: Block, find: LineTime, start: number, end: number): number {
  const { words, bytes } = block
  if (!find(start, end, found) || !readCri(bytes, found.end, end, cri)) return takeForeign(block, start, end)
  const partial = STATE.partials + PARTIAL.size * cri.stream
  const hasPieces = words[partial + PARTIAL.line] !== 0
  if (hasPieces && words[STATE.count] > 0) return WANTS.deliveryFirst
  return takePiece(block, partial, hasPieces, cri.partial, cri.text, end)
}

function takeDocker(block: Block, find: LineTime, start: number, end: number): number {
  const { words, bytes } = block
  const fits = readDocker(bytes, start, end, docker) && find(docker.time, docker.timeEnd, found)
  if (!fits || found.end !== docker.timeEnd) return takeForeign(block, start, end)
  const partial = STATE.partials + PARTIAL.size * docker.stream
  const hasPieces = words[partial + PARTIAL.line] !== 0
  if (hasPieces && words[STATE.count] > 0) return WANTS.deliveryFirst
  const text = docker.log
  let textEnd = removeEscapes(bytes, text, decodeString(bytes, text, docker.logEnd))
  lineFlags = flagsOf(bytes, text, textEnd)
  const hasLineEnd = textEnd > text && bytes[textEnd - 1] === 10
  if (hasLineEnd) textEnd--
  if (hasLineEnd && textEnd > text && bytes[textEnd - 1] === 13) textEnd--
  return takePiece(block, partial, hasPieces, !hasLineEnd && textEnd - text >= DOCKER_PIECE, text, textEnd)
}

/** Takes the text of a container record: a whole entry, or a piece of one. */
function takePiece(
  block: Block,
  partial: number,
  hasPieces: boolean,
  goesOn: boolean,
  start: number,
  end: number,
): number {
  const { words, longs } = block
  met(words)
  const time = foundTime()
  if (!hasPieces) {
    words[STATE.hasTime] = 1
    longs[STATE.lastTime >> 1] = time
  }
  if (!hasPieces && !goesOn) {
    emit(block, start, end, words[STATE.line], time, lineFlags)
    return WANTS.bytes
  }
  addToPartial(block, partial, start, end, time, lineFlags)
  if (goesOn) return WANTS.bytes
  emitPartial(block, partial)
  return WANTS.delivery
}
