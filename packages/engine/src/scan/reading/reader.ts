import { utcClock, yearLimit } from '../../time/wall-clock.js'
import { UTC, type ZoneOption } from '../../time/zone.js'
import { STATE } from '../kernel/reading-layout.js'
import { type ConfiguredTimestamps, createFormatDecider } from './detect-format.js'
import { type Deliver, joinsPieces } from './entries.js'
import type { CustomTimestamp, LineFormat, ReadingFormat } from './format.js'
import type { LocalTime } from './local-time.js'
import { type ProbeResult, type Probing, startProbing } from './probe.js'
import { createReadBuffer } from './read-buffer.js'
import { type ReaderSnapshot, restoreBuffer, restoreSeam, type Seam, saveBuffer, saveSeam } from './snapshot.js'
import { createSource, type ReadingKernel } from './source.js'

export { endsEntry, startsEntry } from './boundaries.js'
export type { Deliver, EntryBatch } from './entries.js'
export type { ReadingFormat } from './format.js'
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
  /**
   * The formats that the data has had before its first line, if it is not the start of a stream. It is all that the entries of a
   * stream depend on besides its bytes, as long as its first line has a time in exactly one of them: see `startsEntry`.
   */
  readonly formats?: readonly ReadingFormat[]
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
  /** Starts with another file of the same log, whose formats are decided again. */
  nextFile(timestamp?: CustomTimestamp, zone?: ZoneOption): void
  /** Starts with the first file of other data, or continues a file from its snapshot. */
  reopen(timestamp?: CustomTimestamp, zone?: ZoneOption, snapshot?: ReaderSnapshot): void
  snapshot(): ReaderSnapshot
  /** The formats so far, in the order in which they were found. None while they are being decided, or if no line has a time. */
  readonly formats: readonly ReadingFormat[]
  /** Whether the first formats are decided: enough lines were read. */
  readonly isDecided: boolean
  /** The number of lines read; a line without a line end counts after the end of the data. */
  readonly lines: number
  /** How many of them were folded into the entry before them. */
  readonly folded: number
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
  buffer.formats.configured = decider.configured
  const readTime = options.readTime ?? (() => BigInt(now.getTime()) * 1_000_000n)
  const source = createSource(kernel, buffer, {
    yearLimit: limit,
    zone: options.zone,
    readTime,
    warn,
    warned: snapshot?.warned ?? false,
    decide: (lines) => decider.decide(lines),
  })
  const known = snapshot ? snapshot.formats : options.formats
  if (known) source.resume(known)
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
    if (probing) {
      const result = probing.look(buffer.block())
      if (!result || !settle(result)) return
    }
    while (source.read(deliver));
  }

  /** Starts with the result of a probe; returns false if there are no lines. */
  function settle({ decision, lines, count }: ProbeResult): boolean {
    if (count === 0) return false
    const hasTime = source.begin(lines, decision?.format)
    warnOfFormat(decision?.format, hasTime, count === 1 ? 'line' : `${count} lines`)
    probing = undefined
    return true
  }

  function warnOfFormat(decided: LineFormat | undefined, hasTime: boolean, lines: string): void {
    if (!hasTime) warn?.(`no timestamp found in the first ${lines}: each line gets the time at which it is read`)
    else if (timestamp && decided && decided.format.custom?.regex !== timestamp.regex) {
      const { name } = decided.format
      warn?.(`the configured timestamp is in none of the first ${lines}: using the format ${name}`)
    }
  }

  function open(own?: CustomTimestamp, zone: ZoneOption = options.zone ?? UTC, from?: ReaderSnapshot): void {
    timestamp = own
    decider = createFormatDecider({ ...(own && { timestamp: own }), timestamps: options.timestamps ?? [] }, clock)
    buffer.formats.configured = decider.configured
    buffer.clear()
    source.forget()
    source.localTime.use(zone)
    source.resume(from?.formats ?? [])
    if (from) restore(from)
    probing = !from || from.probing ? startProbe() : undefined
  }

  function flush(deliver: Deliver): void {
    if (probing) {
      if (!settle(probing.conclude(buffer.block()))) return
      run(deliver)
    }
    if (!joinsPieces(buffer.block().words[STATE.kind])) source.flush(deliver)
  }

  function commit(bytes: number, deliver: Deliver): void {
    buffer.fill(bytes)
    run(deliver)
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
      return saveSeam(buffer, source.localTime.save())
    },
    restart(seam) {
      buffer.clear()
      source.forget()
      source.localTime.forget()
      source.localTime.restore(seam.localTime)
      source.resume(seam.formats ?? [])
      restoreSeam(buffer, seam)
      probing = seam.formats ? undefined : startProbe()
    },
    nextFile: open,
    reopen(own, zone, from) {
      source.localTime.forget()
      open(own, zone, from)
    },
    snapshot() {
      const localTime = source.localTime.save()
      return {
        formats: buffer.formats.list(),
        probing: probing !== undefined,
        ...saveBuffer(buffer),
        warned: source.warned,
        ...(localTime && { localTime }),
      }
    },
    get formats() {
      return buffer.formats.list()
    },
    get isDecided() {
      return probing === undefined
    },
    get lines() {
      return buffer.block().words[STATE.line] - 1
    },
    get folded() {
      return source.folded
    },
    localTime: source.localTime,
  }
}
