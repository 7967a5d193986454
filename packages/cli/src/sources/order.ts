import { type CustomTimestamp, compileRules, createDetector, type Detector } from '@omen/engine'
import { inNaturalOrder } from './found-file.js'
import { inParallel, openData } from './open-data.js'
import { oldestNameFirst } from './pieces.js'
import type { SourceFile } from './source.js'
import { engineZone } from './zone.js'

/** The first time is usually in the first lines; otherwise a longer head is searched. */
const HEADS = [64 * 1024, 1024 * 1024] as const

/**
 * Puts the files of a source in the order in which they were written: by the first time in each; those without one come last,
 * in the order of their names. A single file is not opened, and a pipe never is: what is read from it is lost.
 *
 * @example
 * await orderByTime(files, { timestamps: [], skip: 50, now }) // app.log.2.gz, app.log.1, app.log
 */
export async function orderByTime(
  files: readonly SourceFile[],
  settings: TimeSettings,
): Promise<readonly SourceFile[]> {
  const timed = await findTimes(files, settings)
  return inOrder(timed, (a, b) => byTime(a, b) || inNaturalOrder(a.file.path, b.file.path))
}

/**
 * Puts the pieces of a rotated log in the order in which they were written: by the first time in each; by their names if the
 * times are the same, or if there is a piece without times. Some rotations give the highest number to the oldest piece, others to
 * the latest one, so the times are more certain than the names.
 *
 * @example
 * await orderPieces(files, { timestamps: [], skip: 50, now }) // app.log.10.gz, app.log.9, app.log
 */
export async function orderPieces(
  files: readonly SourceFile[],
  settings: TimeSettings,
): Promise<readonly SourceFile[]> {
  const timed = await findTimes(files, settings)
  const haveTimes = timed.every(({ file, time }) => time !== undefined || file.size === 0)
  return inOrder(timed, (a, b) => (haveTimes ? byTime(a, b) : 0) || oldestNameFirst(a.file.path, b.file.path))
}

interface Timed {
  readonly file: SourceFile
  readonly time: bigint | undefined
}

async function findTimes(files: readonly SourceFile[], settings: TimeSettings): Promise<readonly Timed[]> {
  if (files.length < 2) return files.map((file) => ({ file, time: undefined }))
  const findFirstTime = await createTimeFinder(settings)
  return inParallel(files, async (file) => ({ file, time: await timeOf(file, findFirstTime) }))
}

function inOrder(timed: readonly Timed[], compare: (a: Timed, b: Timed) => number): readonly SourceFile[] {
  return timed.toSorted(compare).map(({ file }) => file)
}

function byTime(a: Timed, b: Timed): number {
  if (a.time === b.time) return 0
  if (a.time === undefined) return 1
  if (b.time === undefined) return -1
  return a.time < b.time ? -1 : 1
}

/** A file that cannot be read has no time here. The reason is reported when it is read. */
async function timeOf(
  { path, size, timestamp, zone }: SourceFile,
  findFirstTime: FindFirstTime,
): Promise<bigint | undefined> {
  if (size === undefined || size === 0) return undefined
  try {
    const data = await openData(path)
    try {
      let head = new Uint8Array()
      for (const length of HEADS) {
        const longer = await readOn(data.read, head, length)
        if (longer.length === head.length) return undefined
        head = longer
        const time = findFirstTime(head, timestamp, zone)
        if (time !== undefined) return time
      }
    } finally {
      await data.close()
    }
  } catch {
    return undefined
  }
  return undefined
}

/** The first `length` bytes, of which `head` has been read already. */
async function readOn(
  read: (into: Uint8Array) => number | Promise<number>,
  head: Uint8Array,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length)
  bytes.set(head)
  let filled = head.length
  while (filled < length) {
    const more = await read(bytes.subarray(filled))
    if (more === 0) break
    filled += more
  }
  return bytes.subarray(0, filled)
}

/** Finds the first time in the first bytes of a file; undefined if there is none. */
export type FindFirstTime = (
  head: Uint8Array,
  timestamp: CustomTimestamp | undefined,
  zone?: string,
) => bigint | undefined

export interface TimeSettings {
  /** Tried before the built-in formats. */
  readonly timestamps: readonly { readonly pattern: string; readonly format: string }[]
  /** How many lines are searched for a time. */
  readonly skip: number
  /** Decides the year of times that have none. */
  readonly now: Date
}

/** A rule that every entry hits: one detector, used for all files, then finds the time of each. */
const EVERY_ENTRY = `
rules:
  - cre: {id: EVERY-ENTRY}
    metadata: {id: J7uRQTGpGMyL1iFpssnBeS, hash: rdJLgqYgkEp8jg8Qks1qiq}
    rule: {set: {event: {source: '*'}, match: [{regex: .}]}}
`

/** In the year 2116: marks lines without a time. */
const NO_TIME = 2n ** 62n

/** The first entry usually ends within this many bytes. The entries after it are not needed. */
const PIECE = 4096

/**
 * Creates a function that finds the first time in a file.
 *
 * @example
 * const findFirstTime = await createTimeFinder({ timestamps: [], skip: 50, now: new Date() })
 * findFirstTime(Buffer.from('2026-03-01T12:00:00Z started\\n'), undefined) // 1772366400000000000n
 */
export async function createTimeFinder({ timestamps, skip, now }: TimeSettings): Promise<FindFirstTime> {
  const rules = await compileRules([{ name: 'every-entry.yaml', text: EVERY_ENTRY }])
  const detector = createDetector(rules, { timestamps, skip, now, readTime: () => NO_TIME })
  return (head, timestamp, zone) => {
    detector.restart(timestamp, undefined, engineZone(zone))
    const time = firstTime(detector, head)
    return time === NO_TIME ? undefined : time
  }
}

function firstTime(detector: Detector, head: Uint8Array): bigint | undefined {
  for (let at = 0; at < head.length; at += PIECE) {
    const [first] = detector.push(head.subarray(at, at + PIECE))
    if (first) return first.hits[0].timestamp
  }
  return detector.end()[0]?.hits[0].timestamp
}
