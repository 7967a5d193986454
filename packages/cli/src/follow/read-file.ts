import { setImmediate } from 'node:timers/promises'
import { inspect, needsMore, refusal } from '../sources/contents.js'
import { closeFile, isFresh, isGone, readAt, statOpen } from './file-stat.js'
import { type OpenCopy, openAfter } from './find-rotated.js'
import {
  explain,
  type FollowContext,
  type FollowedFile,
  isReadError,
  linesRead,
  own,
  reportOnce,
} from './followed-file.js'
import type { Fill } from './matching.js'
import { advance, type ReadPosition, startOfFile } from './read-position.js'

/** The bytes read from one file before the others have their turn. */
const TURN = 8 << 20

/** The first bytes, which show what kind of data a file holds. */
const INSPECTED = 512

/** A compressed file that changed less than this many milliseconds ago may still be written. */
export const STILL_WRITTEN = 2000

/** Reads more of the open file. Returns whether there may be more. */
export async function readOn(followed: FollowedFile, context: FollowContext): Promise<boolean> {
  const position = followed.position!
  if (position.isComplete) return false
  if (position.isPacked) return readPacked(followed, context)
  if (statOpen(followed.file!).size <= position.offset) return false
  if (position.offset === 0 && !isPlainText(followed, context)) return position.isPacked
  if (followed.startsNewFile) await startNewFile(followed)
  return readTurn(followed, context, (buffer) => readAt(followed.file!, buffer, position.offset))
}

/** Reads a copy of the file that was being read to its end: there is never more. */
export async function readCopy(followed: FollowedFile, copy: OpenCopy, context: FollowContext): Promise<boolean> {
  try {
    while (await readTurn(followed, context, copy.read)) await setImmediate()
    return false
  } finally {
    copy.close()
  }
}

/** Runs `work`. If the file cannot be read, that is reported and the file is closed. */
export async function guarded(
  followed: FollowedFile,
  context: FollowContext,
  work: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    if (!isReadError(error)) throw error
    release(followed)
    // If it is gone, the next poll finds what the name leads to then.
    if (!isGone(error)) reportOnce(followed, context.problem, explain(error))
    return false
  }
}

/** Matches whole lines at once. After that it is known whether they have times. */
export async function flush(followed: FollowedFile): Promise<void> {
  await followed.matching.flush()
  if (followed.position) followed.position.hasTimes ||= followed.matching.hasTimes
  followed.isDirty = true
}

/** Matches entries that wait for their order. */
export async function matchWaiting(followed: FollowedFile, which: 'due' | 'all'): Promise<void> {
  if (await followed.matching.release(which)) followed.isDirty = true
}

/** Whether the file has not changed for as long as the window: its entries need not wait for others. */
export function hasWaited({ stat, source }: FollowedFile, { clock }: FollowContext): boolean {
  return stat?.kind === 'file' && !isFresh(stat, clock, Number(source.window ?? 0n) / 1_000_000)
}

/** Closes the file of a name. It is opened again when it is needed. */
export function release(followed: FollowedFile): void {
  if (followed.file !== undefined) closeFile(followed.file)
  followed.file = undefined
  followed.unpacked?.close()
  followed.unpacked = undefined
}

/** Closes and forgets the successor. */
export function closeSuccessor(followed: FollowedFile): void {
  if (followed.successor?.file !== undefined) closeFile(followed.successor.file)
  followed.successor = undefined
  followed.successorHasDataAt = undefined
}

/** Reads up to `TURN` bytes. Returns whether there may be more. */
async function readTurn(followed: FollowedFile, context: FollowContext, fill: Fill): Promise<boolean> {
  for (let remaining = TURN; remaining > 0; ) {
    if (context.signal.aborted) return false
    const count = await feed(followed, context, fill)
    if (count === 0) return false
    remaining -= count
  }
  return true
}

/** Passes the next bytes to the matching. Returns how many there were. */
async function feed(followed: FollowedFile, context: FollowContext, fill: Fill): Promise<number> {
  const position = followed.position!
  let taken = 0
  const read = async (buffer: Uint8Array) => {
    taken = await fill(buffer)
    return followed.skipsZeros ? skipZeros(followed, position, buffer.subarray(0, taken)) : taken
  }
  await followed.matching.feed(read, (bytes) => advance(position, bytes))
  if (taken === 0) return 0
  followed.lastReadAt = context.clock.elapsed()
  followed.isDirty = true
  position.hasTimes ||= followed.matching.hasTimes
  context.use(followed)
  return taken
}

/** Moves what follows the zeros at the start of `bytes` to the front; returns its length. */
function skipZeros(followed: FollowedFile, position: ReadPosition, bytes: Uint8Array): number {
  const isAllZero = Buffer.alloc(bytes.length).equals(bytes)
  const zeros = isAllZero ? bytes.length : bytes.findIndex((byte) => byte !== 0)
  advance(position, bytes.subarray(0, zeros))
  if (zeros < bytes.length) followed.skipsZeros = false
  bytes.copyWithin(0, zeros)
  return bytes.length - zeros
}

/** Inspects the first bytes of a file. If it is not plain text, it is decoded or refused. */
function isPlainText(followed: FollowedFile, context: FollowContext): boolean {
  const position = followed.position!
  const head = new Uint8Array(INSPECTED)
  const bytes = head.subarray(0, readAt(followed.file!, head, 0))
  const mayGrow = isFresh(statOpen(followed.file!), context.clock, STILL_WRITTEN)
  if (mayGrow && needsMore(bytes)) return false
  const contents = inspect(bytes)
  if (contents.is === 'text' && contents.encoding === undefined) return true
  if (contents.is === 'refused') {
    reportOnce(followed, context.problem, refusal(contents.kind, followed.path).message)
    position.isComplete = true
  } else if (contents.is === 'text') {
    context.warn(`${followed.path}: ${contents.encoding} text is read once, and not followed`)
    position.isPacked = true
  } else position.isPacked = !mayGrow
  return false
}

/**
 * Reads a file that is compressed or not UTF-8, and therefore not followed, to its end; after the position where the last run
 * stopped. Returns whether there may be more.
 */
async function readPacked(followed: FollowedFile, context: FollowContext): Promise<boolean> {
  const { key, target } = followed.position!
  try {
    followed.unpacked ??= await openAfter(followed.file!, followed.position!)
    if (!followed.unpacked) {
      // It is another file now.
      release(followed)
      own(followed, startOfFile(key, target))
      followed.startsNewFile = true
      return true
    }
    if (followed.startsNewFile) await startNewFile(followed)
    if (await readTurn(followed, context, followed.unpacked.read)) return true
  } catch (error) {
    if (!isReadError(error)) throw error
    reportOnce(followed, context.problem, explain(error))
  }
  if (!context.signal.aborted) await complete(followed)
  return false
}

/** The data continues in another file: the last entry of the one before is complete. */
async function startNewFile(followed: FollowedFile): Promise<void> {
  followed.startsNewFile = false
  await followed.matching.nextFile(followed.timestamp, followed.position!.start.lines)
}

/** Nothing more comes from a packed file: what is pending is decided, unless the log goes on in a newer piece. */
async function complete(followed: FollowedFile): Promise<void> {
  const position = followed.position!
  const { size, modified } = statOpen(followed.file!)
  release(followed)
  position.sealed = { size, modified }
  position.lines = linesRead(followed)
  position.isComplete = true
  followed.isDirty = true
  if (followed.newerPiece) return flush(followed)
  const ended = await followed.matching.end()
  if (!ended) return
  position.lines = ended.lines
  position.hasTimes ||= ended.hasTimes
}
