import type { CustomTimestamp, Detection, Detector, Warn } from '@omen/engine'
import type { Amount } from '../matching/events.js'
import { engineZone } from '../sources/zone.js'
import type { Detectors, Lease } from './detectors.js'
import type { Clock } from './follow-options.js'
import { createReadAmount } from './read-amount.js'
import { createWaiting } from './waiting.js'

export interface MatchingOptions {
  /** The type of the data. */
  readonly type: string
  readonly window: bigint | undefined
  readonly timestamp: CustomTimestamp | undefined
  /** The zone of times without one: see SourceFile. */
  readonly zone: string | undefined
  readonly report: (detections: Detection[]) => Promise<void>
  readonly warn: Warn
  readonly clock: Pick<Clock, 'elapsed'>
  readonly saved?: SavedMatching | undefined
}

/** What is saved of a matching between two runs. */
export interface SavedMatching {
  /** Undefined: the rules start without state. */
  readonly snapshot: Uint8Array | undefined
  /** The lines that had been counted when each of the last files began. */
  readonly firstLines: readonly number[]
  /** The paths of these files if they had other names: pieces of the log from which the state was taken over. Otherwise empty. */
  readonly files?: readonly string[]
  readonly lines: number
  /** Lines were read that a flush would match. */
  readonly isPending: boolean
  /** No entry of the present file is complete: nothing of it was matched yet. */
  readonly isUntouched: boolean
  /** Entries up to this time wait for their order; nanoseconds since 1970. */
  readonly waitingUpTo?: string | undefined
}

/**
 * A detector that continues for as long as a log is followed. It takes its memory only while data comes: suspended, it is a
 * snapshot of a few hundred bytes.
 */
export interface Matching {
  /**
   * Matches the next bytes: `fill` writes them into the buffer that it receives, and returns their number. They are passed to
   * `read` before they are matched.
   */
  feed(fill: Fill, read: (bytes: Uint8Array) => void): Promise<void>
  /** Matches a copy of the next bytes: other methods may be called before it resolves. */
  push(bytes: Uint8Array): Promise<void>
  /** The data continues in another file, of which this many lines were read before. */
  nextFile(timestamp: CustomTimestamp | undefined, linesRead: number): Promise<void>
  /** Nothing has come for a while: whole lines are matched, as soon as they have waited for their order. */
  flush(): Promise<void>
  /** Matches the entries that have waited for their order as long as the window, or all. Returns whether there were any. */
  release(which: 'due' | 'all'): Promise<boolean>
  /** Whether entries have waited for their order as long as the window. */
  readonly isDue: boolean
  /**
   * Nothing more comes: everything pending is reported, and what is fed after that starts without state. Returns what is then
   * known of the present file, if there was anything to end.
   */
  end(): Promise<EndedFile | undefined>
  /** Releases the detector until more data comes. */
  suspend(): void
  /** Gives the state to another matching: what is fed after that starts without state. */
  handOver(): SavedMatching
  /** Continues, before anything was fed, with the state of the matching of another path. The next data is in another file. */
  takeOver(state: SavedMatching, path: string): void
  /** What a later run needs to continue. */
  save(): SavedMatching
  /** The whole lines read of the present file. */
  readonly linesOfFile: number
  /** Whether lines were read that a flush would match. */
  readonly isPending: boolean
  /** Whether no entry of the present file is complete. */
  readonly isUntouched: boolean
  /** Whether the lines of the present file have times. */
  readonly hasTimes: boolean
  /** What was read in this run. */
  readonly amount: Amount
}

/** The whole lines of a file, and whether they have times. */
export interface EndedFile {
  readonly lines: number
  readonly hasTimes: boolean
}

export type Fill = (buffer: Uint8Array) => number | Promise<number>

/** The hits of a detection are in at most this many files. */
const MAX_FIRST_LINES = 32

/** Creates a matching without state, or one that continues where a saved one stopped. */
export function createMatching(detectors: Detectors, options: MatchingOptions): Matching {
  const { type, window, zone, clock, saved } = options
  let { timestamp } = options
  let suspended = saved?.snapshot
  let lease: Lease | undefined
  /** The lines that the detector has counted over all runs. */
  let counted = saved?.lines ?? 0
  const read = createReadAmount()
  let isPending = saved?.isPending ?? false
  let isUntouched = saved?.isUntouched ?? true
  let firstLines = [...(saved?.firstLines ?? [0])]
  let files = [...(saved?.files ?? firstLines.map(() => ''))]
  const warned = new Set<string>()
  let waiting = createWaiting(window, saved?.waitingUpTo, clock)

  const warn: Warn = (message, subject) => {
    if (warned.has(message)) return
    warned.add(message)
    options.warn(message, subject)
  }

  function resume(): Detector {
    if (lease?.isOutdated) suspend()
    lease ??= detectors.take({ type, window, timestamp, zone, warn, snapshot: suspended })
    suspended = undefined
    return lease.detector
  }

  function suspend(): void {
    if (!lease) return
    suspended = lease.detector.snapshot()
    lease.release()
    lease = undefined
  }

  async function take(detector: Detector, match: () => Detection[]): Promise<void> {
    const { entries } = read.total
    const found = read.during(detector, match)
    counted = detector.progress.lines
    isPending = true
    waiting.read(detector.waitingUpTo)
    if (read.total.entries > entries) isUntouched = false
    await report(found)
  }

  function releaseUpTo(detector: Detector, upTo: bigint): Detection[] {
    const found = detector.release(upTo)
    if (detector.waitingUpTo === undefined) waiting.clear()
    return found
  }

  async function report(detections: Detection[]): Promise<void> {
    // Entries are decoded when they are first accessed, which is possible only until the next bytes come.
    if (detections.length > 0)
      await options.report(detections.map((detection) => asPlainData(detection, firstLines, files)))
  }

  function save(): SavedMatching {
    const snapshot = lease ? lease.detector.snapshot() : suspended
    const hasOthers = files.some((file) => file !== '')
    const { upTo: waitingUpTo } = waiting
    return { snapshot, firstLines, ...(hasOthers && { files }), lines: counted, isPending, isUntouched, waitingUpTo }
  }

  return {
    async feed(fill, read) {
      const detector = resume()
      const buffer = detector.space()
      const count = await fill(buffer)
      if (count === 0) return
      read(buffer.subarray(0, count))
      await take(detector, () => detector.commit(count))
    },
    async push(chunk) {
      const detector = resume()
      await take(detector, () => detector.push(chunk))
    },
    async nextFile(next, linesRead) {
      timestamp = next
      const detector = resume()
      const found = read.during(detector, () => detector.nextFile(next, engineZone(zone)))
      counted = detector.progress.lines
      isUntouched = true
      isPending = false
      await report(found)
      firstLines = [...firstLines, counted - linesRead].slice(-MAX_FIRST_LINES)
      files = [...files, ''].slice(-MAX_FIRST_LINES)
    },
    async flush() {
      const detector = resume()
      const found = read.during(detector, () => detector.flush())
      counted = detector.progress.lines
      isPending = false
      isUntouched = false
      waiting.complete(detector.waitingUpTo)
      const upTo = waiting.take('due')
      await report(upTo === undefined ? found : [...found, ...releaseUpTo(detector, upTo)])
    },
    async release(which) {
      const upTo = waiting.take(which)
      if (upTo === undefined) return false
      await report(releaseUpTo(resume(), upTo))
      return true
    },
    async end() {
      if (!lease && (!suspended || holdsNothing(suspended))) return undefined
      const detector = resume()
      const found = read.during(detector, () => detector.end())
      const { lines, formats } = detector.progress
      const ended = { lines: lines - firstLines.at(-1)!, hasTimes: formats.length > 0 }
      counted = 0
      isPending = false
      isUntouched = true
      waiting.clear()
      const reported = report(found)
      lease?.release()
      lease = undefined
      await reported
      firstLines = [0]
      files = ['']
      return ended
    },
    suspend,
    handOver() {
      suspend()
      const state = save()
      // The file may grow: its next lines are counted on.
      firstLines = [firstLines.at(-1)! - counted]
      files = ['']
      counted = 0
      suspended = undefined
      isPending = false
      isUntouched = true
      waiting.clear()
      return state
    },
    takeOver(state, path) {
      suspended = state.snapshot
      counted = state.lines
      firstLines = [...state.firstLines]
      files = firstLines.map((_, index) => state.files?.[index] || path)
      isPending = state.isPending
      isUntouched = state.isUntouched
      waiting = createWaiting(window, state.waitingUpTo, clock)
    },
    save,
    get linesOfFile() {
      return counted - firstLines.at(-1)!
    },
    get isPending() {
      return isPending
    },
    get isDue() {
      return waiting.isDue
    },
    get isUntouched() {
      return isUntouched
    },
    get hasTimes() {
      return (lease?.detector.progress.formats.length ?? 0) > 0
    },
    get amount() {
      return read.total
    },
  }
}

/** A detection as plain data, with the line of each hit counted from the start of its file. */
function asPlainData(
  { hits, ...detection }: Detection,
  firstLines: readonly number[],
  files: readonly string[],
): Detection {
  return {
    ...detection,
    hits: hits.map(({ timestamp, entry, line, extracted }) => {
      const index = firstLines.findLastIndex((first) => first < line)
      const file = files[index] || undefined
      return {
        timestamp,
        entry,
        line: line - (firstLines[index] ?? 0),
        ...(file !== undefined && { file }),
        ...(extracted && { extracted }),
      }
    }),
  }
}

/**
 * Whether a snapshot certainly holds nothing that could become a detection. To resume a detector only to find that out takes
 * milliseconds, which is long for a thousand of them.
 */
function holdsNothing(snapshot: Uint8Array): boolean {
  const { matcher, delivery, reader } = JSON.parse(new TextDecoder().decode(snapshot))
  const held = [matcher?.rules, matcher?.entries, delivery?.held ?? []]
  const hasNoUnread =
    reader?.open === '' && reader.unread === '' && reader.partials?.every(({ line }: { line?: number }) => line === 0)
  return hasNoUnread === true && held.every((list) => Array.isArray(list) && list.length === 0)
}
