import { runTime } from '../../time/run.js'
import type { WallClock } from '../../time/wall-clock.js'
import type { ReadingFunctions } from '../kernel/kernel.js'
import type { KernelMemory } from '../kernel/memory.js'
import {
  DOCKER_PIECE,
  ENTRY_FLAG,
  FORMAT,
  KIND,
  LONGEST,
  PARTIAL,
  STATE,
  TEXT,
  TIMED,
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
import { builtInFormats, type LineFormat } from './format.js'
import { findTime, LINE, type LineTime, timeOf } from './line-time.js'
import { isIndented, isObject, isRfc3339, markLength } from './lines.js'
import { streamClock } from './local-time.js'

/** The TypeScript twin of kernel/reading.ts: the oracle in tests, and the fallback without SIMD. */
export function plainReading(memory: KernelMemory): ReadingFunctions {
  return { readLines: (state) => readLinesWith(memory, state, []) }
}

/** Reads lines as the kernel does; the list of formats may also have `configured` ones. */
export function readLinesWith(memory: KernelMemory, state: number, configured: readonly LineFormat[]): number {
  const block = blockAt(memory, state)
  const clock = streamClock(memory, state)
  const { words, bytes } = block
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
    const cut = Math.min(lineEnd, start + LONGEST)
    if (cut < lineEnd) noteCut(words)
    const end = withoutEscapes(bytes, start, cut)
    lineFlags = flagsOf(bytes, start, end)
    const wants = takeLine(block, clock, configured, start, end)
    if (wants === WANTS.deliveryFirst) return WANTS.delivery
    if (wants === WANTS.table) return WANTS.table
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
const SPACE = 32
const COMMA = 44

/**
 * Removes the escape sequences of a line; returns its new end. The bytes up to the old end become escape bytes, so that the line
 * can be read again if the host must act first.
 */
function withoutEscapes(bytes: Uint8Array, start: number, end: number): number {
  const textEnd = removeEscapes(bytes, start, end)
  bytes.fill(ESCAPE, textEnd, end)
  return textEnd
}

const ESCAPE = 27

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

const found: LineTime = { seconds: 0, nanos: 0, start: 0, end: 0, text: 0, timed: 0 }
const cri: CriLine = { stream: 0, partial: false, text: 0 }
const docker: DockerLine = { stream: 0, log: 0, logEnd: 0, time: 0, timeEnd: 0 }

/** Takes a line without its line end. A byte order mark at the start of the data is not part of the text. */
function takeLine(
  block: Block,
  clock: WallClock,
  configured: readonly LineFormat[],
  lineStart: number,
  end: number,
): number {
  const { words, bytes } = block
  const start = words[STATE.line] === 1 ? lineStart + markLength(bytes, lineStart, end) : lineStart
  switch (words[STATE.kind]) {
    case KIND.cri:
      return takeCri(block, clock, start, end)
    case KIND.docker:
      return takeDocker(block, clock, start, end)
    default:
      return takeText(block, clock, configured, start, end)
  }
}

/** Takes a line of a stream without records: see rules of folding in docs/formats.md. */
function takeText(
  block: Block,
  clock: WallClock,
  configured: readonly LineFormat[],
  start: number,
  end: number,
): number {
  const { words, longs, bytes } = block
  const line = findTime(block, clock, configured, 0, start, end, found)
  if (line === LINE.needsTable) return WANTS.table
  if (line === LINE.timed) {
    emitOpen(block)
    const text = textStart(bytes, start, end)
    openEntry(block, text, end, timeOf(found), lineFlags)
    words[STATE.kind] = KIND.lines
    words[STATE.timed] = found.timed
    longs[STATE.lastTime >> 1] = timeOf(found)
    return WANTS.bytes
  }
  if (words[STATE.kind] === KIND.none) {
    emit(block, start, end, words[STATE.line], longs[STATE.clock >> 1], lineFlags)
    return WANTS.bytes
  }
  if (
    !isObject(bytes, start, end) &&
    isContinued(block) &&
    (words[STATE.timed] !== TIMED.no || isIndented(bytes, start, end))
  ) {
    addToOpen(block, start, end, lineFlags)
    words[STATE.folded]++
    return ++words[STATE.timeless] === words[STATE.reviewAt] ? WANTS.review : WANTS.bytes
  }
  emitOpen(block)
  openEntry(block, start, end, longs[STATE.lastTime >> 1], lineFlags)
  return WANTS.bytes
}

/** Whether a line can be folded into the open entry: it is no JSON object, which is always one line. */
function isContinued({ words, bytes }: Block): boolean {
  if (words[STATE.open] === 0) return false
  return words[STATE.timeless] > 0 || !isObject(bytes, words[STATE.openStart], words[STATE.openEnd])
}

/** Where the text of a line with a time starts; notes a comma after the time. */
function textStart(bytes: Uint8Array, start: number, end: number): number {
  const after = found.end < end ? bytes[found.end] : 0
  if (after === COMMA) lineFlags |= ENTRY_FLAG.comma
  if (after !== SPACE || found.text === TEXT.whole) return start
  return found.text === TEXT.rest || isRfc3339(bytes, start, found.end) ? found.end + 1 : start
}

/** A line that is not a record of the container runtime is an entry with its own time, or that of the entry before. */
function takeForeign(block: Block, clock: WallClock, start: number, end: number): number {
  const { words, longs, bytes } = block
  const line = findTime(block, clock, [], 1, start, end, found)
  if (line === LINE.needsTable) return WANTS.table
  if (line === LINE.timed) {
    longs[STATE.lastTime >> 1] = timeOf(found)
    words[STATE.timed] = found.timed
    emit(block, textStart(bytes, start, end), end, words[STATE.line], timeOf(found), lineFlags)
  } else emit(block, start, end, words[STATE.line], longs[STATE.lastTime >> 1], lineFlags)
  return WANTS.bytes
}

/** The format of the container's records is the first one of the list. */
function findRecordTime({ words, u32, bytes }: Block, clock: WallClock, start: number, end: number): boolean {
  const { program } = builtInFormats()[u32[(words[STATE.formats] + FORMAT.row) >> 2]]
  return runTime(program!, bytes, start, end, clock, found)
}

function takeCri(block: Block, clock: WallClock, start: number, end: number): number {
  const { words, bytes } = block
  if (!findRecordTime(block, clock, start, end) || !readCri(bytes, found.end, end, cri))
    return takeForeign(block, clock, start, end)
  const partial = STATE.partials + PARTIAL.size * cri.stream
  const hasPieces = words[partial + PARTIAL.line] !== 0
  if (hasPieces && words[STATE.count] > 0) return WANTS.deliveryFirst
  return takePiece(block, partial, hasPieces, cri.partial, cri.text, end)
}

function takeDocker(block: Block, clock: WallClock, start: number, end: number): number {
  const { words, bytes } = block
  const fits = readDocker(bytes, start, end, docker) && findRecordTime(block, clock, docker.time, docker.timeEnd)
  if (!fits || found.end !== docker.timeEnd) return takeForeign(block, clock, start, end)
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
  const time = timeOf(found)
  if (!hasPieces) {
    words[STATE.timed] = TIMED.yes
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
