// Finds the time of a line with the formats of its stream, and with the table of formats if none of them fits: the twin of
// kernel/reading-formats.ts.

import type { FoundTime } from '../../time/finish.js'
import { isDigit } from '../../time/program.js'
import { foundShape } from '../../time/run.js'
import { traitsOf } from '../../time/screen.js'
import type { WallClock } from '../../time/wall-clock.js'
import {
  CONFIGURED,
  FORMAT,
  KIND,
  MOST_FORMATS,
  NEAR_SECONDS,
  ROW_FLAG,
  STATE,
  TIMED,
} from '../kernel/reading-layout.js'
import type { Block } from './entries.js'
import { builtInFormats, type LineFormat } from './format.js'
import { isIndented, isObject } from './lines.js'
import { areOfLogger, startsWithLevel } from './words.js'

/** What was found: the time and its place, and the TEXT and TIMED of its format. */
export interface LineTime extends FoundTime {
  text: number
  timed: number
}

/** What `findTime` says about a line. */
export const LINE = {
  /** It has no time, or one that does not start an entry. */
  timeless: 0,
  timed: 1,
  /** The table of formats must be put into memory first. */
  needsTable: 2,
} as const

/**
 * Finds the time of a line, the bytes from `start` to `end`; returns one of LINE. The formats of the list from index `from` on are
 * tried, in the order of `inOrder`. If none fits, the table is. `configured` are the configured formats, by the numbers that the
 * list has.
 */
export function findTime(
  block: Block,
  clock: WallClock,
  configured: readonly LineFormat[],
  from: number,
  start: number,
  end: number,
  found: LineTime,
): number {
  const { words, u32, bytes } = block
  for (const record of inOrder(block, from, isObject(bytes, start, end))) {
    const format = formatOf(block, record, configured)
    const undo = saveLocal(block)
    const isTimed =
      format.find(bytes, start, end, clock, found) &&
      hasWords(u32[(record + FORMAT.flags) >> 2], bytes, start, end, found) &&
      fits(block, record, found)
    if (isTimed) {
      found.text = format.text
      found.timed = format.timed
      words[STATE.recent] = record
      return LINE.timed
    }
    undo()
  }
  const isNear = words[STATE.timed] === TIMED.no ? undefined : (time: FoundTime) => isNearLast(block, time)
  const unlisted = configured.filter((format) => !isListed(block, format))
  if (unlisted.length === 0 && !mayHaveTime(block.bytes, start, end)) return LINE.timeless
  if (block.words[STATE.table] === 0) return LINE.needsTable
  const undo = saveLocal(block)
  const format = discover(block.bytes, start, end, clock, unlisted, isNear, found)
  undo()
  if (!format) return LINE.timeless
  // The local time of the stream moves with the time that is used, not with the others that were tried.
  format.find(block.bytes, start, end, clock, found)
  found.text = format.text
  found.timed = format.timed
  appendFormat(block, format, 1 << discoveredShape, true)
  return LINE.timed
}

/**
 * The addresses of the FORMAT records from index `from` on, as they are tried: the highest rank first, in a JSON object those whose
 * time is in one; of the same rank the one that was used last, then in the order in which they were found.
 */
function inOrder({ words, u32 }: Block, from: number, inObject: boolean): number[] {
  const records = Array.from(
    { length: words[STATE.formatCount] - from },
    (_, i) => words[STATE.formats] + (from + i) * FORMAT.size,
  )
  if (records.length < 2) return records
  const precedence = (record: number) => {
    const isFirst = inObject && (u32[(record + FORMAT.flags) >> 2] & ROW_FLAG.object) !== 0
    return u32[(record + FORMAT.rank) >> 2] + (isFirst ? 16 : 0) + (record === words[STATE.recent] ? 0.5 : 0)
  }
  return records.sort((a, b) => precedence(b) - precedence(a))
}

const LOCAL_WORDS = 16
const savedLocal = new Uint32Array(LOCAL_WORDS)

/** Saves the local time of the stream, which moves with every time without a zone; returns a function that restores it. */
export function saveLocal({ words }: Block): () => void {
  savedLocal.set(words.subarray(STATE.local, STATE.local + LOCAL_WORDS))
  return () => words.set(savedLocal, STATE.local)
}

function formatOf({ u32 }: Block, record: number, configured: readonly LineFormat[]): LineFormat {
  const row = u32[(record + FORMAT.row) >> 2]
  return row >= CONFIGURED ? configured[row - CONFIGURED] : builtInFormats()[row]
}

function isListed({ words, u32 }: Block, format: LineFormat): boolean {
  for (let i = 0; i < words[STATE.formatCount]; i++) {
    if (u32[(words[STATE.formats] + i * FORMAT.size + FORMAT.row) >> 2] === format.row) return true
  }
  return false
}

/**
 * Whether a time in a format of the list starts an entry: in a shape that was seen before always, in another one if it is near
 * the time of the entry before.
 */
function fits(block: Block, record: number, found: FoundTime): boolean {
  const shapes = (record + FORMAT.shapes) >> 2
  const shape = 1 << foundShape()
  if ((block.u32[shapes] & shape) !== 0) return true
  if (!isNearLast(block, found)) return false
  block.u32[shapes] |= shape
  return true
}

const NEAR = BigInt(NEAR_SECONDS) * 1_000_000_000n

/** Whether a time is near that of the entry before, as far as that is known. */
function isNearLast({ words, longs }: Block, found: FoundTime): boolean {
  if (words[STATE.timed] !== TIMED.yes) return true
  const distance = timeOf(found) - longs[STATE.lastTime >> 1]
  return distance <= NEAR && distance >= -NEAR
}

/** Nanoseconds since 1970. */
export function timeOf({ seconds, nanos }: FoundTime): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
}

/** Whether a line has the words before its time that the flags of a format ask for. */
export function hasWords(flags: number, bytes: Uint8Array, start: number, end: number, found: FoundTime): boolean {
  if ((flags & ROW_FLAG.level) !== 0) return startsWithLevel(bytes, start, end)
  return (flags & ROW_FLAG.words) === 0 || areOfLogger(bytes, start, found.start)
}

/**
 * Adds a format to the list, or a shape to the format that is already there; makes it the one that was used last. Returns the
 * address of its FORMAT record, or 0 if the list is full. It is strict if one line has shown the format.
 */
export function appendFormat(
  { words, u32, bytes }: Block,
  format: LineFormat,
  shapes: number,
  isStrict: boolean,
): number {
  const count = words[STATE.formatCount]
  let index = 0
  while (index < count && u32[(words[STATE.formats] + index * FORMAT.size + FORMAT.row) >> 2] !== format.row) index++
  if (index === MOST_FORMATS) return 0
  const record = words[STATE.formats] + index * FORMAT.size
  if (index === count) {
    const flags = isStrict ? format.flags : format.flags & ROW_FLAG.object
    bytes.fill(0, record, record + FORMAT.size)
    u32[(record + FORMAT.text) >> 2] = format.text
    u32[(record + FORMAT.row) >> 2] = format.row
    u32[(record + FORMAT.timed) >> 2] = format.timed
    u32[(record + FORMAT.flags) >> 2] = flags
    u32[(record + FORMAT.rank) >> 2] = format.rank
    words[STATE.formatCount] = count + 1
    if (format.kind === KIND.lines) words[STATE.topRank] = Math.max(words[STATE.topRank], format.rank)
    if ((flags & ROW_FLAG.object) !== 0) words[STATE.topObjectRank] = Math.max(words[STATE.topObjectRank], format.rank)
  }
  u32[(record + FORMAT.shapes) >> 2] |= shapes
  words[STATE.recent] = record
  return record
}

/** Before the table is searched: whether a line may have a time in one of its formats, as far as is cheap to know. */
function mayHaveTime(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end) return false
  if (isIndented(bytes, start, end) && !isObject(bytes, start, end)) return false
  return isDigit(bytes[start]) || bytes[start] === OPEN_BRACKET || traitsOf(bytes, start, end) !== 0
}

const OPEN_BRACKET = 91

const candidate: FoundTime = { seconds: 0, nanos: 0, start: 0, end: 0 }
let discoveredShape = 0

/**
 * Searches the table for the format of a line: the highest rank, then the time furthest left, then the order of the table. The
 * line alone decides, so formats of the lowest rank are left out, and `isNear` must hold for the time. Before the first time
 * of a stream there is no `isNear`, and the time must be where a logger puts it.
 */
export function discover(
  bytes: Uint8Array,
  start: number,
  end: number,
  clock: WallClock,
  configured: readonly LineFormat[],
  isNear: ((time: FoundTime) => boolean) | undefined,
  found: FoundTime,
): LineFormat | undefined {
  const fitting = (format: LineFormat) =>
    format.find(bytes, start, end, clock, candidate) &&
    hasWords(format.flags, bytes, start, end, candidate) &&
    (!isNear || isNear(candidate))
  const keep = () => {
    Object.assign(found, candidate)
    discoveredShape = foundShape()
  }
  for (const format of configured) {
    if (!fitting(format)) continue
    keep()
    return format
  }
  if (!mayHaveTime(bytes, start, end)) return undefined
  const inObject = isObject(bytes, start, end)
  let best: LineFormat | undefined
  for (const format of builtInFormats()) {
    if (best && (format.rank < best.rank || found.start === start)) break
    if (!format.isDiscovered) continue
    if ((format.flags & ROW_FLAG.object) !== 0 && !inObject) continue
    if ((format.flags & ROW_FLAG.anywhere) !== 0 && !isNear) continue
    if (!fitting(format) || (best && candidate.start >= found.start)) continue
    best = format
    keep()
  }
  return best
}
