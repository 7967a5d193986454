import { readAt } from './look.js'

/** So many first bytes tell one log from another: a line with its time and the next. */
const HEAD = 1024

/** So many bytes before the place where reading stopped tell whether what was read is still what stands there. */
const TAIL = 64

const LINE_FEED = 10

/**
 * How far a file was read, and what it is recognised by: inode numbers are given to new files again, and a file can be
 * emptied and written anew behind the same one.
 */
export interface Mark {
  /** Device and inode. */
  readonly key: string
  /** The path behind symbolic links, where it was opened. */
  readonly target: string
  /** Where reading began, when another had read it up to there, and how many lines come before. */
  readonly start: Start
  /** Bytes that were read, from the start of the file. */
  offset: number
  /** Whole lines among them; kept up when the file is left. */
  lines: number
  /** The first of them, and the last. */
  head: Buffer
  tail: Buffer
  /** Where the last whole line starts, and where it ends: from there on only a part of a line was read. */
  lineStart: number
  lineEnd: number
  /** Its lines have times, so that no other log has the same first bytes. */
  hasTimes: boolean
  /** It is compressed, or not UTF-8: what was read is counted and remembered as it is once unpacked. */
  isPacked: boolean
  /** Nothing more is to be read from it: it was packed, or is no text. */
  isComplete: boolean
  /** What it looked like when all that was packed in it had been read: the same number with another look is another file. */
  sealed: Seal | undefined
}

/** Size and time of change of a file, which a rename leaves as they are. */
export interface Seal {
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
}

/** A place in a file from which it can be read by somebody who knows nothing of what comes before. */
export interface Start {
  readonly offset: number
  readonly lines: number
}

const NO_BYTES = Buffer.alloc(0)

/** A file of which nothing was read yet. */
export function newMark(key: string, target: string): Mark {
  const start = { offset: 0, lines: 0 }
  const lines = { lines: 0, lineStart: 0, lineEnd: 0, hasTimes: false }
  const state = { isPacked: false, isComplete: false, sealed: undefined }
  return { key, target, start, offset: 0, head: NO_BYTES, tail: NO_BYTES, ...lines, ...state }
}

/** The mark of a file that begins with what was read of another one, or that another had read: reading goes on behind it. */
export function markBehind(mark: Mark, key: string, target: string): Mark {
  const { offset, lines } = mark
  return { ...mark, key, target, start: { offset, lines }, lineStart: offset, lineEnd: offset }
}

/** The same, where it is not known yet whether more follows. */
export function unsealedBehind(mark: Mark, key: string, target: string): Mark {
  return { ...markBehind(mark, key, target), isComplete: false, sealed: undefined }
}

/** Whether a file looks as it did when all that was packed in it had been read. */
export function isSealed({ sealed }: Mark, { size, modified }: Seal): boolean {
  return sealed?.size === size && sealed.modified === modified
}

/** Notes that these bytes were read next. */
export function advance(mark: Mark, bytes: Uint8Array): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (mark.head.length < HEAD) mark.head = Buffer.concat([mark.head, view.subarray(0, HEAD - mark.head.length)])
  const tail = view.length >= TAIL ? view : Buffer.concat([mark.tail, view])
  mark.tail = Buffer.from(tail.subarray(-TAIL))
  const last = view.lastIndexOf(LINE_FEED)
  if (last !== -1) {
    const before = last === 0 ? -1 : view.lastIndexOf(LINE_FEED, last - 1)
    mark.lineStart = before === -1 ? mark.lineEnd : mark.offset + before + 1
    mark.lineEnd = mark.offset + last + 1
  }
  mark.offset += view.length
}

/** Goes back to an earlier place, of which the bytes ahead of it are not known any more. */
export function goBack(mark: Mark, offset: number): void {
  if (offset >= mark.offset) return
  Object.assign(mark, {
    offset,
    lineStart: offset,
    lineEnd: offset,
    tail: NO_BYTES,
    head: mark.head.subarray(0, offset),
  })
}

/** Whether two files begin with the same bytes, as far as both were read. */
export function beginAlike(one: Mark, other: Mark): boolean {
  const length = Math.min(one.head.length, other.head.length)
  return one.head.subarray(0, length).equals(other.head.subarray(0, length))
}

/** Whether the same bytes come before the places up to which two files were read. */
export function endAlike(one: Mark, other: Mark): boolean {
  const length = Math.min(one.tail.length, other.tail.length)
  return length === 0 || one.tail.subarray(-length).equals(other.tail.subarray(-length))
}

/** Whether a file still begins with what was read of it. */
export function fits(file: number, { head, tail, offset }: Mark): boolean {
  return holds(file, head, 0) && holds(file, tail, offset - tail.length)
}

function holds(file: number, expected: Buffer, position: number): boolean {
  const found = Buffer.alloc(expected.length)
  return readAt(file, found, position) === expected.length && found.equals(expected)
}
