import type { ZoneOption } from '../../time/zone.js'
import type { ReadingFunctions } from '../kernel/kernel.js'
import type { KernelMemory } from '../kernel/memory.js'
import { KIND, LONGEST, REVIEW_AFTER, STATE, WANTS } from '../kernel/reading-layout.js'
import { batchOf, type Deliver, emitOpen, joinsPieces } from './entries.js'
import type { LineFormat } from './format.js'
import { createLocalTime, type LocalTime } from './local-time.js'
import { type LineTime, readLinesWith } from './plain.js'
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
  /** Whether the warning about an entry that is too long was already given. */
  readonly warned: boolean
}

/** Reads the bytes of a buffer in a format. */
export interface EntrySource {
  readonly format: LineFormat | undefined
  readonly warned: boolean
  readonly localTime: LocalTime
  /** Uses this format from now on. */
  use(format: LineFormat): void
  /** Delivers the next entries; returns one of WANTS. */
  read(deliver: Deliver): number
  /** Delivers everything pending, as at the end of the data. */
  close(deliver: Deliver): void
  /** Delivers the open entry early. Lines that would have been added to it become a separate entry with its time. */
  settle(deliver: Deliver): void
  /** Forgets the format, because other data follows. */
  forget(): void
}

export function createSource(kernel: ReadingKernel, buffer: ReadBuffer, options: SourceOptions): EntrySource {
  const { memory, reading } = kernel
  const { yearLimit, zone, readTime, warn } = options
  let format: LineFormat | undefined
  let readLines = () => reading.readLines(buffer.state)
  let warned = options.warned
  buffer.block().longs[STATE.yearLimit >> 1] = BigInt(yearLimit)
  const localTime = createLocalTime(memory, buffer.state, yearLimit, zone)

  function use(chosen: LineFormat): void {
    format = chosen
    const { find, program, kind } = chosen
    const timeOf: LineTime = (start, end, found) => find(memory.u8, start, end, localTime.clock, found)
    const isCustom = program === undefined && kind !== KIND.none
    readLines = () => (isCustom ? readLinesWith(memory, buffer.state, timeOf) : reading.readLines(buffer.state))
    if (program) buffer.setProgram(program)
    if (joinsPieces(kind)) buffer.preparePartials()
    const { words } = buffer.block()
    words[STATE.kind] = kind
    words[STATE.memo] = 0
    words[STATE.timeless] = 0
    words[STATE.reviewAt] = REVIEW_AFTER
    if (!joinsPieces(kind)) words[STATE.hasTime] = 0
  }

  function read(deliver: Deliver): number {
    if (format?.kind === KIND.none) advanceClock()
    const wants = readLines()
    const block = buffer.block()
    if (block.words[STATE.cutLine] !== 0) warnOfCut(block.words)
    if (block.words[STATE.count] > 0) deliver(batchOf(memory, block))
    return wants
  }

  /** The time of lines without a timestamp never decreases. */
  function advanceClock(): void {
    const { longs } = buffer.block()
    const time = readTime()
    if (time > longs[STATE.clock >> 1]) longs[STATE.clock >> 1] = time
  }

  function warnOfCut(words: Uint32Array): void {
    const line = words[STATE.cutLine]
    words[STATE.cutLine] = 0
    if (warned) return
    warned = true
    warn?.(`line ${line}: the entry is longer than ${LONGEST >> 20} MiB; the rest of it is not matched`)
  }

  function close(deliver: Deliver): void {
    const { words } = buffer.block()
    const kept = [STATE.limit, STATE.final, STATE.line, STATE.skipping].map((word) => [word, words[word]] as const)
    words[STATE.skipping] = 0
    words[STATE.limit] = words[STATE.at]
    words[STATE.searched] = words[STATE.at]
    words[STATE.final] = 1
    while (read(deliver) !== WANTS.bytes);
    for (const [word, value] of kept) buffer.block().words[word] = value
  }

  function settle(deliver: Deliver): void {
    const block = buffer.block()
    const { words, longs } = block
    if (words[STATE.open] === 0) return
    longs[STATE.lastTime >> 1] = longs[STATE.openTime >> 1]
    words[STATE.hasTime] = 1
    words[STATE.timeless] = 0
    words[STATE.count] = 0
    emitOpen(block)
    deliver(batchOf(memory, block))
  }

  return {
    localTime,
    use,
    read,
    close,
    settle,
    forget() {
      format = undefined
      warned = false
    },
    get format() {
      return format
    },
    get warned() {
      return warned
    },
  }
}
