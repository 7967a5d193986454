import type { FoundTime } from '../../time/finish.js'
import { foundShape } from '../../time/run.js'
import { utcClock } from '../../time/wall-clock.js'
import type { ZoneOption } from '../../time/zone.js'
import type { ReadingFunctions } from '../kernel/kernel.js'
import type { KernelMemory } from '../kernel/memory.js'
import { KIND, LONGEST, STATE, WANTS } from '../kernel/reading-layout.js'
import type { Decision, Lines } from './detect-format.js'
import { batchOf, type Deliver, emitOpen, foldedLines, joinsPieces, unfold } from './entries.js'
import { type LineFormat, openFormat, type ReadingFormat } from './format.js'
import { discover, saveLocal, timeOf } from './line-time.js'
import { createLocalTime, type LocalTime } from './local-time.js'
import { readLinesWith } from './plain.js'
import { isConvincing } from './probe.js'
import type { ReadBuffer } from './read-buffer.js'

/** The part of a kernel that a reader needs. */
export interface ReadingKernel {
  readonly memory: KernelMemory
  readonly reading: ReadingFunctions
}

export interface SourceOptions {
  readonly yearLimit: number
  /** Of times without a zone; UTC if it is not given. */
  readonly zone: ZoneOption | undefined
  readonly readTime: () => bigint
  readonly warn: ((message: string) => void) | undefined
  /** Decides the format of many lines without a time. */
  readonly decide: (lines: Lines) => Decision | undefined
  /** Whether the warning about an entry that is too long was already given. */
  readonly warned: boolean
}

/** Reads the bytes of a buffer as entries, in the formats of its list. */
export interface EntrySource {
  readonly warned: boolean
  readonly localTime: LocalTime
  /** Lines that were folded. */
  readonly folded: number
  /**
   * Starts a stream whose first lines were probed; they are still unread. `format` explains them best. Returns false if none of
   * them has a time.
   */
  begin(lines: Lines, format: LineFormat | undefined): boolean
  /** Starts with formats that are known; without any, no line has had a time so far. */
  resume(formats: readonly ReadingFormat[]): void
  /** Delivers the next entries; returns false if more bytes are needed. */
  read(deliver: Deliver): boolean
  /** Delivers the open entry early. Lines that would have been folded into it become a separate entry with its time. */
  flush(deliver: Deliver): void
  /** Counts and warns again from the start, because other data follows. */
  forget(): void
}

const found: FoundTime = { seconds: 0, nanos: 0, start: 0, end: 0 }

export function createSource(kernel: ReadingKernel, buffer: ReadBuffer, options: SourceOptions): EntrySource {
  const { memory, reading } = kernel
  const { yearLimit, zone, readTime, warn, decide } = options
  // Whether a line has a time does not depend on the zone.
  const anyClock = utcClock(yearLimit)
  const { formats } = buffer
  let warned = options.warned
  let folded = 0
  let isConfigured = false
  buffer.block().longs[STATE.yearLimit >> 1] = BigInt(yearLimit)
  const localTime = createLocalTime(memory, buffer.state, yearLimit, zone)

  function resume(listed: readonly ReadingFormat[]): void {
    formats.restore(listed)
    isConfigured = listed.some(({ custom }) => custom !== undefined)
    const kind = listed.length === 0 ? KIND.none : openFormat(listed[0], formats.configured).kind
    if (joinsPieces(kind)) buffer.preparePartials()
    buffer.block().words[STATE.kind] = kind
  }

  function begin(lines: Lines, format: LineFormat | undefined): boolean {
    resume(format ? [{ ...format.format, shapes: firstShape(lines, format), recent: !joinsPieces(format.kind) }] : [])
    const { words, longs } = buffer.block()
    const time = firstTime(lines, format)
    if (time === undefined) return false
    // A format that is in one line only is added when that line is read.
    if (!format) words[STATE.kind] = KIND.lines
    longs[STATE.lastTime >> 1] = time
    return true
  }

  /** The time of the first line that has one. The lines before it get it too. */
  function firstTime({ bytes, starts, ends }: Lines, format: LineFormat | undefined): bigint | undefined {
    const { clock } = localTime
    const undo = saveLocal(buffer.block())
    const first = starts.findIndex(
      (start, i) =>
        format?.find(bytes, start, ends[i], clock, found) ||
        discover(bytes, start, ends[i], clock, [], undefined, found),
    )
    undo()
    return first < 0 ? undefined : timeOf(found)
  }

  /** The shape of the first time in a format, as a bit. */
  function firstShape({ bytes, starts, ends }: Lines, format: LineFormat): number {
    starts.find((start, i) => format.find(bytes, start, ends[i], anyClock, found))
    return 1 << foundShape()
  }

  function read(deliver: Deliver): boolean {
    if (buffer.block().words[STATE.kind] === KIND.none) advanceClock()
    const { state } = buffer
    const wants = isConfigured ? readLinesWith(memory, state, formats.configured) : reading.readLines(state)
    const block = buffer.block()
    if (block.words[STATE.cutLine] !== 0) warnOfCut(block.words)
    // Lines that were folded before may be unfolded: then the number is negative.
    folded += block.words[STATE.folded] | 0
    block.words[STATE.folded] = 0
    if (block.words[STATE.count] > 0) deliver(batchOf(memory, block))
    if (wants === WANTS.table) formats.loadTable()
    if (wants === WANTS.review) review()
    return wants !== WANTS.bytes
  }

  /** The time of lines without a timestamp never decreases. */
  function advanceClock(): void {
    const { longs } = buffer.block()
    const time = readTime()
    if (time > longs[STATE.clock >> 1]) longs[STATE.clock >> 1] = time
  }

  /**
   * Many lines in a row were folded. Perhaps they have times that one line alone does not prove: a clock without a date, or a new
   * format after a long pause. Then they are read again.
   */
  function review(): void {
    const { words } = buffer.block()
    words[STATE.reviewAt] = 2 * words[STATE.timeless]
    const lines = foldedLines(buffer.block())
    const decision = decide(lines)
    if (!isConvincing(decision, lines) || joinsPieces(decision.format.kind)) return
    const { format } = decision
    const { bytes, starts, ends } = lines
    const first = starts.findIndex((start, i) => format.find(bytes, start, ends[i], anyClock, found))
    const shape = 1 << foundShape()
    unfold(buffer.block(), lines, first)
    formats.append(format, shape)
    isConfigured ||= format.format.custom !== undefined
  }

  function warnOfCut(words: Uint32Array): void {
    const line = words[STATE.cutLine]
    words[STATE.cutLine] = 0
    if (warned) return
    warned = true
    warn?.(`line ${line}: the entry is longer than ${LONGEST >> 20} MiB; the rest of it is not matched`)
  }

  return {
    localTime,
    begin,
    resume,
    read,
    flush(deliver) {
      const block = buffer.block()
      if (block.words[STATE.open] === 0) return
      block.words[STATE.count] = 0
      emitOpen(block)
      deliver(batchOf(memory, block))
    },
    forget() {
      warned = false
      folded = 0
    },
    get warned() {
      return warned
    },
    get folded() {
      return folded
    },
  }
}
