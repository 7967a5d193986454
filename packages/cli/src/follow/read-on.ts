import { setImmediate } from 'node:timers/promises'
import { inspect, needsMore, refusal } from '../sources/contents.js'
import { type Copy, openBehind } from './find-rest.js'
import { closeFile, isFresh, isGone, lookAtOpen, readAt } from './look.js'
import { advance, type Mark, newMark } from './mark.js'
import type { Fill } from './matching.js'
import { explain, type FollowContext, isReadError, linesRead, own, say, type Trail } from './trail.js'

/** So much is read of one file before the others have their turn. */
const TURN = 8 << 20

/** What data is shows in its first bytes. */
const LOOKED_AT = 512

/** A compressed file that changed this short a while ago may still be written. */
export const STILL_WRITTEN = 2000

/** Reads on in the file that a trail has open. Returns whether there may be more. */
export async function readOn(trail: Trail, context: FollowContext): Promise<boolean> {
  const mark = trail.mark!
  if (mark.isComplete) return false
  if (mark.isPacked) return readPacked(trail, context)
  if (lookAtOpen(trail.file!).size <= mark.offset) return false
  if (mark.offset === 0 && !isPlainText(trail, context)) return mark.isPacked
  if (trail.isNext) await beginNext(trail)
  return readTurn(trail, context, (room) => readAt(trail.file!, room, mark.offset))
}

/** Reads as much as one turn allows. Returns whether there may be more. */
async function readTurn(trail: Trail, context: FollowContext, fill: Fill): Promise<boolean> {
  for (let left = TURN; left > 0; ) {
    if (context.signal.aborted) return false
    const count = await feed(trail, context, fill)
    if (count === 0) return false
    left -= count
  }
  return true
}

/** Reads a copy of what a trail had been reading to its end: there is never more. */
export async function readCopy(trail: Trail, copy: Copy, context: FollowContext): Promise<boolean> {
  try {
    while (await readTurn(trail, context, copy.read)) await setImmediate()
    return false
  } finally {
    copy.close()
  }
}

/** Does what must not fail because of a file: a refusal of the system is told, and the file is closed. */
export async function guarded(trail: Trail, context: FollowContext, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    if (!isReadError(error)) throw error
    release(trail)
    // What the file server has lost is gone: the next look finds what stands under the name then.
    if (!isGone(error)) say(trail, context.problem, explain(error))
    return false
  }
}

/** Matches whole lines at once; after that, it is known whether they have times. */
export async function flush(trail: Trail): Promise<void> {
  await trail.matching.flush()
  if (trail.mark) trail.mark.hasTimes = trail.matching.hasTimes
  trail.isDirty = true
}

/** Closes the file of a trail; it is opened again when it is needed. */
export function release(trail: Trail): void {
  if (trail.file !== undefined) closeFile(trail.file)
  trail.file = undefined
  trail.unpacked?.close()
  trail.unpacked = undefined
}

/** Closes the file that was to follow. */
export function dropNext(trail: Trail): void {
  if (trail.next?.file !== undefined) closeFile(trail.next.file)
  trail.next = undefined
  trail.nextAt = undefined
}

/** The data goes on in another file: the last entry of the one before is complete. */
async function beginNext(trail: Trail): Promise<void> {
  trail.isNext = false
  await trail.matching.nextFile(trail.timestamp, trail.mark!.start.lines)
}

/** Returns how many bytes were read. */
async function feed(trail: Trail, context: FollowContext, fill: Fill): Promise<number> {
  const mark = trail.mark!
  let taken = 0
  const read = async (room: Uint8Array) => {
    taken = await fill(room)
    return trail.isInHole ? skipHole(trail, mark, room.subarray(0, taken)) : taken
  }
  await trail.matching.feed(read, (bytes) => advance(mark, bytes))
  if (taken === 0) return 0
  trail.readAt = context.clock.elapsed()
  trail.isDirty = true
  mark.hasTimes = trail.matching.hasTimes
  context.use(trail)
  return taken
}

/** Moves what follows bytes of zero to the front; returns how much that is. */
function skipHole(trail: Trail, mark: Mark, bytes: Uint8Array): number {
  const isAllZero = Buffer.alloc(bytes.length).equals(bytes)
  const zeros = isAllZero ? bytes.length : bytes.findIndex((byte) => byte !== 0)
  advance(mark, bytes.subarray(0, zeros))
  if (zeros < bytes.length) trail.isInHole = false
  bytes.copyWithin(0, zeros)
  return bytes.length - zeros
}

/** Looks at the first bytes of a file. What is no plain text is read another way, or refused. */
function isPlainText(trail: Trail, context: FollowContext): boolean {
  const mark = trail.mark!
  const head = new Uint8Array(LOOKED_AT)
  const bytes = head.subarray(0, readAt(trail.file!, head, 0))
  const mayGrow = isFresh(lookAtOpen(trail.file!), context.clock, STILL_WRITTEN)
  if (mayGrow && needsMore(bytes)) return false
  const contents = inspect(bytes)
  if (contents.is === 'text' && contents.encoding === undefined) return true
  if (contents.is === 'refused') {
    say(trail, context.problem, refusal(contents.kind, trail.path).message)
    mark.isComplete = true
  } else if (contents.is === 'text') {
    context.warn(`${trail.path}: ${contents.encoding} text is read once, and not followed`)
    mark.isPacked = true
  } else mark.isPacked = !mayGrow
  return false
}

/**
 * Reads a file that cannot be followed, because it is compressed or not UTF-8, to its end: from the place where the last run
 * was stopped on the way. Returns whether there may be more.
 */
async function readPacked(trail: Trail, context: FollowContext): Promise<boolean> {
  const { key, target } = trail.mark!
  try {
    trail.unpacked ??= await openBehind(trail.file!, trail.mark!)
    if (!trail.unpacked) {
      // It has become another.
      release(trail)
      own(trail, newMark(key, target))
      trail.isNext = true
      return true
    }
    if (trail.isNext) await beginNext(trail)
    if (await readTurn(trail, context, trail.unpacked.read)) return true
  } catch (error) {
    if (!isReadError(error)) throw error
    say(trail, context.problem, explain(error))
  }
  if (!context.signal.aborted) await complete(trail)
  return false
}

/** Nothing more comes from a file: what is pending is decided. */
async function complete(trail: Trail): Promise<void> {
  const mark = trail.mark!
  const { size, modified } = lookAtOpen(trail.file!)
  release(trail)
  mark.sealed = { size, modified }
  mark.lines = linesRead(trail)
  mark.isComplete = true
  trail.isDirty = true
  const ended = await trail.matching.end()
  if (!ended) return
  mark.lines = ended.lines
  mark.hasTimes ||= ended.hasTimes
}
