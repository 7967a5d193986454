import { createTimeFinder, type FindFirstTime, type TimeSettings } from './first-time.js'
import { inParallel } from './in-parallel.js'
import { inNaturalOrder } from './natural-order.js'
import { openData } from './open-data.js'
import type { SourceFile } from './source.js'

/** So many files are open at once at most. */
const MOST_OPEN = 32

/** The first time mostly stands in the first lines; where it does not, it is looked for a while longer. */
const HEADS = [64 * 1024, 1024 * 1024] as const

/**
 * Puts the files of a source in the order in which they were written: by the first time in each; those without one come last,
 * in the order of their names. A source of one file is not opened for it, and a pipe never is: what is read from it is gone.
 *
 * @example
 * await orderByTime(files, { timestamps: [], skip: 50, now }) // app.log.2.gz, app.log.1, app.log
 */
export async function orderByTime(
  files: readonly SourceFile[],
  settings: TimeSettings,
): Promise<readonly SourceFile[]> {
  if (files.length < 2) return files
  const findFirstTime = await createTimeFinder(settings)
  const timed = await inParallel(files, MOST_OPEN, async (file) => ({ file, time: await timeOf(file, findFirstTime) }))
  return timed.toSorted(inOrder).map(({ file }) => file)
}

interface Timed {
  readonly file: SourceFile
  readonly time: bigint | undefined
}

function inOrder(a: Timed, b: Timed): number {
  if (a.time === b.time) return inNaturalOrder(a.file.path, b.file.path)
  if (a.time === undefined) return 1
  if (b.time === undefined) return -1
  return a.time < b.time ? -1 : 1
}

/** What cannot be read has no time here; reading it will tell why. */
async function timeOf(
  { path, size, timestamp }: SourceFile,
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
        const time = findFirstTime(head, timestamp)
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

/** The first `length` bytes, of which `head` has been read. What comes before a fault counts. */
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
