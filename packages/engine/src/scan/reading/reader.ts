import { yearLimit } from '../../time/run.js'
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
import { isConvincing, type ProbeResult, type Probing, startProbing } from './probe.js'
import { createReadBuffer } from './read-buffer.js'
import { type ReaderSnapshot, restoreBuffer, saveBuffer } from './snapshot.js'
import { createSource, type ReadingKernel } from './source.js'

export type { Deliver, EntryBatch } from './entries.js'
export type { ReadingFormat } from './format.js'
export { startsEntry } from './format.js'
export type { ReaderSnapshot } from './snapshot.js'

export interface ReaderOptions extends ConfiguredTimestamps {
  /** Decides the year of times that have none. */
  readonly now: Date
  /** How many lines are looked at for a timestamp: 50. */
  readonly skip?: number
  /** The time of lines when none has one, in nanoseconds since 1970; `now` where it is not given. */
  readonly readTime?: () => bigint
  /** A format that was decided before: nothing is looked at. */
  readonly format?: ReadingFormat
  readonly warn?: (message: string) => void
  /** Goes on where the reader that gave this snapshot stopped. The other options must be the same. */
  readonly snapshot?: ReaderSnapshot
}

/** Reads bytes as entries. */
export interface Reader {
  /** Free room in kernel memory to read into, 64 KiB at least. */
  space(): Uint8Array
  /** That many bytes of `space()` were filled. */
  commit(bytes: number, deliver: Deliver): void
  /** Takes a piece of the data of any size: a copy, where `space` and `commit` need none. */
  push(chunk: Uint8Array, deliver: Deliver): void
  /** The end of the data: everything pending is delivered. */
  end(deliver: Deliver): void
  /**
   * Nothing has come for a while: whole lines that were read are delivered, though more lines of the last entry may follow.
   * Those become an entry of their own.
   */
  flush(deliver: Deliver): void
  /** Makes the reader ready for other data in the same format. */
  restart(): void
  /** Makes the reader ready for another file, whose format is decided anew, or for one that was begun before. */
  reopen(timestamp: CustomTimestamp | undefined, snapshot?: ReaderSnapshot): void
  snapshot(): ReaderSnapshot
  /** What was decided, once it was. */
  readonly format: ReadingFormat | undefined
  /** How many lines were read; one without a line end counts when the data has ended. */
  readonly lines: number
}

const DEFAULT_SKIP = 50

/**
 * Makes a reader on a kernel. Entries are the same however the data is cut into pieces.
 *
 * ```ts
 * const reader = createReader(kernel, { now: new Date() })
 * for (const chunk of chunks) reader.push(chunk, (batch) => console.log(batch.count))
 * reader.end((batch) => console.log(batch.count))
 * ```
 */
export function createReader(kernel: ReadingKernel, options: ReaderOptions): Reader {
  const { now, skip = DEFAULT_SKIP, warn, snapshot } = options
  const limit = yearLimit(now)
  let { timestamp } = options
  let decider = createFormatDecider(options, limit)
  const buffer = createReadBuffer(kernel.memory)
  const readTime = options.readTime ?? (() => BigInt(now.getTime()) * 1_000_000n)
  const source = createSource(kernel, buffer, { yearLimit: limit, readTime, warn, warned: snapshot?.warned ?? false })
  const known = snapshot ? snapshot.format : options.format
  if (known) source.use(openFormat(known))
  if (snapshot) restoreBuffer(buffer, snapshot)
  let probing = (snapshot ? snapshot.probing : !known) ? startProbe() : undefined

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

  /** Goes by a result; false when there is nothing to go by, because there are no lines. */
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
    if (!decided) warn?.(`no timestamp found in the first ${lines}: each line counts as read now`)
    else if (timestamp && decided.format.custom?.regex !== timestamp.regex) {
      warn?.(`the configured timestamp fits none of the first ${lines}: going by the format ${decided.format.name}`)
    }
    return decided ?? NO_TIME
  }

  /**
   * Many lines in a row had no time: perhaps another log begins here. A container's lines have been delivered one by one,
   * so the next ones tell; other lines are still there, and are read again.
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
    const unfolded = cutOpen(buffer.block(), lines, decision.format, limit)
    source.close(deliver)
    readAgain(buffer.block(), unfolded)
    source.use(decision.format)
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
    flush(deliver) {
      if (probing) {
        if (!settle(probing.conclude(buffer.block()), deliver)) return
        run(deliver)
      }
      if (!joinsPieces(buffer.block().words[STATE.kind])) source.settle(deliver)
    },
    restart() {
      buffer.clear()
      probing = source.format ? undefined : startProbe()
    },
    reopen(own, from) {
      timestamp = own
      decider = createFormatDecider({ ...(own && { timestamp: own }), timestamps: options.timestamps ?? [] }, limit)
      buffer.clear()
      source.forget()
      if (from?.format) source.use(openFormat(from.format))
      if (from) restoreBuffer(buffer, from)
      probing = !from || from.probing ? startProbe() : undefined
    },
    snapshot: () => ({
      ...(source.format && { format: source.format.format }),
      probing: probing !== undefined,
      ...saveBuffer(buffer),
      warned: source.warned,
    }),
    get format() {
      return source.format?.format
    },
    get lines() {
      return buffer.block().words[STATE.line] - 1
    },
  }
}
