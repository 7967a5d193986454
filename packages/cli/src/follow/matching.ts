import type { CustomTimestamp, Detection, Detector } from '@omen/engine'
import type { Detectors, Lease } from './detectors.js'

export interface MatchingOptions {
  /** The type of the data. */
  readonly type: string
  readonly window: bigint | undefined
  readonly timestamp: CustomTimestamp | undefined
  readonly tell: (detections: Detection[]) => Promise<void>
  readonly warn: (message: string) => void
  readonly saved?: SavedMatching | undefined
}

/** What is kept of a matching between two runs. */
export interface SavedMatching {
  /** Undefined: rule state starts anew. */
  readonly snapshot: Uint8Array | undefined
  /** Lines that were counted when each of the last files began. */
  readonly firstLines: readonly number[]
  readonly lines: number
  /** Lines were read that a flush would match. */
  readonly isPending: boolean
  /** No entry of the present file is complete: nothing of it was matched yet. */
  readonly isUntouched: boolean
}

/**
 * A detector that goes on for as long as a log is followed. It takes its memory only while data comes: asleep, it is a
 * snapshot of a few hundred bytes.
 */
export interface Matching {
  /**
   * Takes the next bytes: `fill` writes them into the room that it gets, and returns how many they are. They are shown to
   * `read` before they are matched.
   */
  feed(fill: Fill, read: (bytes: Uint8Array) => void): Promise<void>
  /** Takes the next bytes with a copy: other calls may be made while they are waited for. */
  push(bytes: Uint8Array): Promise<void>
  /** The data goes on in another file, of which this many lines were read before. */
  nextFile(timestamp: CustomTimestamp | undefined, linesRead: number): Promise<void>
  /** Nothing has come for a while: whole lines are matched at once. */
  flush(): Promise<void>
  /**
   * Nothing comes any more: everything pending is told. What is fed after that starts anew. Returns what is known of the
   * present file now, if there was anything to end.
   */
  end(): Promise<Ended | undefined>
  sleep(): void
  /** What a later run needs to go on. */
  save(): SavedMatching
  readonly isAwake: boolean
  /** Whole lines of the present file that were read. */
  readonly linesOfFile: number
  /** Whether lines were read that a flush would match. */
  readonly isPending: boolean
  /** Whether no entry of the present file is complete. */
  readonly isUntouched: boolean
  /** Whether the lines of the present file have times. */
  readonly hasTimes: boolean
  /** What was read in this run. */
  readonly bytes: number
  readonly lines: number
}

/** The whole lines of a file, and whether they have times. */
export interface Ended {
  readonly lines: number
  readonly hasTimes: boolean
}

export type Fill = (room: Uint8Array) => number | Promise<number>

/** Hits of a detection can lie some files back, not more. */
const MOST_FIRST_LINES = 32

/** Makes a matching that starts anew, or goes on where a saved one stopped. */
export function createMatching(detectors: Detectors, options: MatchingOptions): Matching {
  const { type, window, saved } = options
  let { timestamp } = options
  let asleep = saved?.snapshot
  let lease: Lease | undefined
  /** Lines that the detector has counted, which goes on from run to run, and those of them that are not of this run. */
  let counted = saved?.lines ?? 0
  let notOfThisRun = counted
  let bytes = 0
  let isPending = saved?.isPending ?? false
  let isUntouched = saved?.isUntouched ?? true
  let firstLines = [...(saved?.firstLines ?? [0])]
  const said = new Set<string>()

  function warn(message: string): void {
    if (said.has(message)) return
    said.add(message)
    options.warn(message)
  }

  function wake(): Detector {
    if (lease?.isOutdated) sleep()
    lease ??= detectors.take({ type, window, timestamp, warn, snapshot: asleep })
    asleep = undefined
    return lease.detector
  }

  function sleep(): void {
    if (!lease) return
    asleep = lease.detector.snapshot()
    lease.giveBack()
    lease = undefined
  }

  async function take(awake: Detector, count: number, match: () => Detection[]): Promise<void> {
    const { entries } = awake.progress
    const found = match()
    const { progress } = awake
    bytes += count
    counted = progress.lines
    isPending = true
    if (progress.entries > entries) isUntouched = false
    await tell(found)
  }

  async function tell(detections: Detection[]): Promise<void> {
    // Entries are decoded when they are first read, which is possible only until the next bytes come.
    if (detections.length > 0) await options.tell(detections.map((detection) => keep(detection, firstLines)))
  }

  return {
    async feed(fill, read) {
      const awake = wake()
      const room = awake.space()
      const count = await fill(room)
      if (count === 0) return
      read(room.subarray(0, count))
      await take(awake, count, () => awake.commit(count))
    },
    async push(chunk) {
      const awake = wake()
      await take(awake, chunk.length, () => awake.push(chunk))
    },
    async nextFile(next, linesRead) {
      timestamp = next
      const awake = wake()
      const found = awake.nextFile(next)
      counted = awake.progress.lines
      isUntouched = true
      isPending = false
      await tell(found)
      firstLines = [...firstLines, counted - linesRead].slice(-MOST_FIRST_LINES)
    },
    async flush() {
      const awake = wake()
      const found = awake.flush()
      counted = awake.progress.lines
      isPending = false
      isUntouched = false
      await tell(found)
    },
    async end() {
      if (!lease && (!asleep || holdsNothing(asleep))) return undefined
      const awake = wake()
      const found = awake.end()
      const { lines, format } = awake.progress
      const ended = { lines: lines - firstLines.at(-1)!, hasTimes: isTime(format) }
      notOfThisRun -= lines
      counted = 0
      isPending = false
      isUntouched = true
      const told = tell(found)
      lease?.giveBack()
      lease = undefined
      await told
      firstLines = [0]
      return ended
    },
    sleep,
    save() {
      const snapshot = lease ? lease.detector.snapshot() : asleep
      return { snapshot, firstLines, lines: counted, isPending, isUntouched }
    },
    get isAwake() {
      return lease !== undefined
    },
    get linesOfFile() {
      return counted - firstLines.at(-1)!
    },
    get isPending() {
      return isPending
    },
    get isUntouched() {
      return isUntouched
    },
    get hasTimes() {
      return isTime(lease?.detector.progress.format)
    },
    get bytes() {
      return bytes
    },
    get lines() {
      return counted - notOfThisRun
    },
  }
}

function isTime(format: string | undefined): boolean {
  return format !== undefined && format !== 'none'
}

/** A detection as plain data, its lines counted from the start of the file that each hit is in. */
function keep({ hits, ...detection }: Detection, firstLines: readonly number[]): Detection {
  return {
    ...detection,
    hits: hits.map(({ timestamp, entry, line, extracted }) => {
      const before = firstLines.findLast((first) => first < line) ?? 0
      return { timestamp, entry, line: line - before, ...(extracted && { extracted }) }
    }),
  }
}

/**
 * Whether a snapshot holds nothing that could become a detection. Only what is surely so counts: to wake up a detector in
 * order to ask costs milliseconds, which is long for a thousand of them.
 */
function holdsNothing(snapshot: Uint8Array): boolean {
  const { matcher, delivery, reader } = JSON.parse(new TextDecoder().decode(snapshot))
  const held = [matcher?.rules, matcher?.entries, delivery?.held ?? []]
  const isReadUp =
    reader?.open === '' && reader.unread === '' && reader.partials?.every(({ line }: { line?: number }) => line === 0)
  return isReadUp === true && held.every((list) => Array.isArray(list) && list.length === 0)
}
