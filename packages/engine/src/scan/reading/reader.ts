import { utcClock, yearLimit } from '../../time/wall-clock.js'
import { UTC, type ZoneOption } from '../../time/zone.js'
import { STATE, WANTS } from '../kernel/reading-layout.js'
import { type ConfiguredTimestamps, createFormatDecider } from './detect-format.js'
import { cutOpen, type Deliver, foldedLines, joinsPieces, readAgain } from './entries.js'
import {
  type CustomTimestamp,
  isSameFormat,
  type LineFormat,
  NO_TIME,
  openFormat,
  type ReadingFormat,
} from './format.js'
import type { LocalTime } from './local-time.js'
import { isConvincing, type ProbeResult, type Probing, startProbing } from './probe.js'
import { createReadBuffer } from './read-buffer.js'
import { type ReaderSnapshot, restoreBuffer, restoreSeam, type Seam, saveBuffer, saveSeam } from './snapshot.js'
import { createSource, type ReadingKernel } from './source.js'

export type { Deliver, EntryBatch } from './entries.js'
export type { ReadingFormat } from './format.js'
export { endsEntry, startsEntry } from './format.js'
export { isSameSeam, type ReaderSnapshot, type Seam } from './snapshot.js'

export interface ReaderOptions extends ConfiguredTimestamps {
  /** Decides the year of times without one. */
  readonly now: Date
  /**
   * The zone of timestamps without one: a name (`Europe/Berlin`), an offset (`+02:00`), or a function that gives the seconds
   * ahead of UTC at a moment. The default is UTC.
   */
  readonly zone?: ZoneOption
  /** How many lines are searched for a timestamp. The default is 50. */
  readonly skip?: number
  /** The time of lines if no line has one, in nanoseconds since 1970. The default is `now`. */
  readonly readTime?: () => bigint
  /** The format, if it was decided before. */
  readonly format?: ReadingFormat
  readonly warn?: (message: string) => void
  /** Continues where the reader of this snapshot stopped. The other options must be the same. */
  readonly snapshot?: ReaderSnapshot
}

/** Reads bytes as entries. */
export interface Reader {
  /** Free space in kernel memory to read into, at least 64 KiB. */
  space(): Uint8Array
  /** `bytes` bytes of `space()` were filled. */
  commit(bytes: number, deliver: Deliver): void
  /** Takes a chunk of any size. It is copied; with `space` and `commit` it is not. */
  push(chunk: Uint8Array, deliver: Deliver): void
  /** The end of the data: everything pending is delivered. */
  end(deliver: Deliver): void
  /**
   * Delivers whole lines that were read, although more lines of the last entry may follow. Those become a separate entry.
   */
  flush(deliver: Deliver): void
  /** Ends a segment: delivers its entries, except those that go on in the next one, and returns what is to be known there. */
  pause(deliver: Deliver): Seam
  /** Starts a segment, after what was read before it. */
  restart(seam: Seam): void
  /** Starts with another file of the same log, whose format is decided again. */
  nextFile(timestamp?: CustomTimestamp, zone?: ZoneOption): void
  /** Starts with the first file of other data, or continues a file from its snapshot. */
  reopen(timestamp?: CustomTimestamp, zone?: ZoneOption, snapshot?: ReaderSnapshot): void
  snapshot(): ReaderSnapshot
  /** The format, once it is decided. */
  readonly format: ReadingFormat | undefined
  /** The number of lines read; a line without a line end counts after the end of the data. */
  readonly lines: number
  readonly localTime: Pick<LocalTime, 'startsRepeated' | 'save' | 'restore'>
}

const DEFAULT_SKIP = 50

/**
 * Creates a reader on a kernel. The entries do not depend on how the data is divided into chunks.
 *
 * @example
 * const reader = createReader(kernel, { now: new Date() })
 * for (const chunk of chunks) reader.push(chunk, (batch) => console.log(batch.count))
 * reader.end((batch) => console.log(batch.count))
 */
export function createReader(kernel: ReadingKernel, options: ReaderOptions): Reader {
  const { now, skip = DEFAULT_SKIP, warn, snapshot } = options
  const limit = yearLimit(now)
  // Whether a line has a time does not depend on the zone.
  const clock = utcClock(limit)
  let { timestamp } = options
  let decider = createFormatDecider(options, clock)
  const buffer = createReadBuffer(kernel.memory)
  const readTime = options.readTime ?? (() => BigInt(now.getTime()) * 1_000_000n)
  const source = createSource(kernel, buffer, {
    yearLimit: limit,
    zone: options.zone,
    readTime,
    warn,
    warned: snapshot?.warned ?? false,
  })
  const known = snapshot ? snapshot.format : options.format
  if (known) source.use(openFormat(known))
  if (snapshot) restore(snapshot)
  let probing = (snapshot ? snapshot.probing : !known) ? startProbe() : undefined

  function restore(saved: ReaderSnapshot): void {
    restoreBuffer(buffer, saved)
    source.localTime.restore(saved.localTime)
  }

  function startProbe(): Probing {
    return startProbing(decider, skip, buffer.block())
  }

  function run(deliver: Deliver): void {
    for (;;) {
      if (probing) {
        const result = probing.look(buffer.block())
        if (!result || !settle(result, deliver)) return
      }
      const wants = source.read(deliver)
      if (wants === WANTS.bytes) return
      if (wants === WANTS.review) review(deliver)
    }
  }

  /** Sets the format from the result of a probe; returns false if there are no lines. */
  function settle({ decision, lines, nonEmpty }: ProbeResult, deliver: Deliver): boolean {
    const { format } = source
    if (format) {
      if (isConvincing(decision, nonEmpty)) change(decision.format, format, deliver)
    } else if (lines > 0) source.use(firstFormat(decision?.format, lines))
    else return false
    probing = undefined
    return true
  }

  function change(chosen: LineFormat, before: LineFormat, deliver: Deliver): void {
    if (isSameFormat(chosen.format, before.format)) return
    source.close(deliver)
    source.use(chosen)
  }

  function firstFormat(decided: LineFormat | undefined, count: number): LineFormat {
    const lines = count === 1 ? 'line' : `${count} lines`
    if (!decided) warn?.(`no timestamp found in the first ${lines}: each line gets the time at which it is read`)
    else if (timestamp && decided.format.custom?.regex !== timestamp.regex) {
      warn?.(`the configured timestamp is in none of the first ${lines}: using the format ${decided.format.name}`)
    }
    return decided ?? NO_TIME
  }

  /**
   * Many lines in a row had no time: perhaps another format begins here. The lines of a container were already delivered, so
   * the next lines are probed; other lines are still in the open entry and are read again.
   */
  function review(deliver: Deliver): void {
    const { words } = buffer.block()
    words[STATE.reviewAt] = 2 * words[STATE.timeless]
    if (joinsPieces(words[STATE.kind])) {
      probing = startProbe()
      return
    }
    const lines = foldedLines(buffer.block())
    const decision = decider.decide(lines)
    if (!isConvincing(decision, lines.starts.length)) return
    const unfolded = cutOpen(buffer.block(), lines, decision.format, clock)
    source.close(deliver)
    readAgain(buffer.block(), unfolded)
    source.use(decision.format)
  }

  function open(own?: CustomTimestamp, zone: ZoneOption = options.zone ?? UTC, from?: ReaderSnapshot): void {
    timestamp = own
    decider = createFormatDecider({ ...(own && { timestamp: own }), timestamps: options.timestamps ?? [] }, clock)
    buffer.clear()
    source.forget()
    source.localTime.use(zone)
    if (from?.format) source.use(openFormat(from.format))
    if (from) restore(from)
    probing = !from || from.probing ? startProbe() : undefined
  }

  function commit(bytes: number, deliver: Deliver): void {
    buffer.fill(bytes)
    run(deliver)
  }

  function flush(deliver: Deliver): void {
    if (probing) {
      if (!settle(probing.conclude(buffer.block()), deliver)) return
      run(deliver)
    }
    if (!joinsPieces(buffer.block().words[STATE.kind])) source.settle(deliver)
  }

  return {
    space: () => buffer.space(),
    commit,
    push(chunk, deliver) {
      for (let at = 0; at < chunk.length; ) {
        const space = buffer.space()
        const piece = chunk.subarray(at, at + space.length)
        space.set(piece)
        at += piece.length
        commit(piece.length, deliver)
      }
    },
    end(deliver) {
      buffer.block().words[STATE.final] = 1
      run(deliver)
    },
    flush,
    pause(deliver) {
      flush(deliver)
      return saveSeam(buffer, source.format?.format, source.localTime.save())
    },
    restart(seam) {
      buffer.clear()
      source.localTime.forget()
      source.localTime.restore(seam.localTime)
      const isSame = seam.format && source.format && isSameFormat(seam.format, source.format.format)
      if (seam.format && !isSame) source.use(openFormat(seam.format))
      restoreSeam(buffer, seam)
      probing = seam.format ? undefined : startProbe()
    },
    nextFile: open,
    reopen(own, zone, from) {
      source.localTime.forget()
      open(own, zone, from)
    },
    snapshot() {
      const localTime = source.localTime.save()
      return {
        ...(source.format && { format: source.format.format }),
        probing: probing !== undefined,
        ...saveBuffer(buffer),
        warned: source.warned,
        ...(localTime && { localTime }),
      }
    },
    get format() {
      return source.format?.format
    },
    get lines() {
      return buffer.block().words[STATE.line] - 1
    },
    localTime: source.localTime,
  }
}
