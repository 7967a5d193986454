import { readAt } from './file-stat.js'

/** The first bytes that distinguish one log from another: a line with its time, and the next one. */
const HEAD = 1024

/** The last bytes read, which show whether the file still holds what was read. */
const TAIL = 64

const LINE_FEED = 10

/**
 * How far a file was read, and how it is recognized: inode numbers are reused, and a file can be truncated and rewritten
 * under the same one.
 */
export interface ReadPosition {
  /** Device and inode. */
  readonly key: string
  /** The path, after symbolic links, where it was opened. */
  readonly target: string
  /** Where reading began, if another name had read the file up to there. */
  readonly start: LinePosition
  /** The bytes read, from the start of the file. */
  offset: number
  /** The whole lines among them; set when the file is finished. */
  lines: number
  /** The first bytes read, and the last. */
  head: Buffer
  tail: Buffer
  /** Where the last whole line starts, and where it ends. Only a part of the next line was read. */
  lineStart: number
  lineEnd: number
  /** Its lines have times, so that no other log begins with the same bytes. */
  hasTimes: boolean
  /** It is compressed, or not UTF-8: `offset`, `head` and `tail` are those of the decoded data. */
  isPacked: boolean
  /** Nothing more is read from it: it was packed, or is not text. */
  isComplete: boolean
  /** What a packed file was when all of it had been read. The same inode with another size or time is another file. */
  sealed: Seal | undefined
}

/** The size and modification time of a file, which a rename does not change. */
export interface Seal {
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
}

/** An offset, and the number of lines before it. */
export interface LinePosition {
  readonly offset: number
  readonly lines: number
}

const NO_BYTES = Buffer.alloc(0)

/** The position in a file of which nothing was read yet. */
export function startOfFile(key: string, target: string): ReadPosition {
  const start = { offset: 0, lines: 0 }
  const lines = { lines: 0, lineStart: 0, lineEnd: 0, hasTimes: false }
  const state = { isPacked: false, isComplete: false, sealed: undefined }
  return { key, target, start, offset: 0, head: NO_BYTES, tail: NO_BYTES, ...lines, ...state }
}

/** The position in a file that begins with what was read of another one: reading continues after that. */
export function continueIn(position: ReadPosition, key: string, target: string): ReadPosition {
  const { offset, lines } = position
  return { ...position, key, target, start: { offset, lines }, lineStart: offset, lineEnd: offset }
}

/** The same, if more may follow in the file. */
export function continueUnsealed(position: ReadPosition, key: string, target: string): ReadPosition {
  return { ...continueIn(position, key, target), isComplete: false, sealed: undefined }
}

export function isSealed({ sealed }: ReadPosition, { size, modified }: Seal): boolean {
  return sealed?.size === size && sealed.modified === modified
}

/** Moves the position past bytes that were read. */
export function advance(position: ReadPosition, bytes: Uint8Array): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const missing = HEAD - position.head.length
  if (missing > 0) position.head = Buffer.concat([position.head, view.subarray(0, missing)])
  const tail = view.length >= TAIL ? view : Buffer.concat([position.tail, view])
  position.tail = Buffer.from(tail.subarray(-TAIL))
  const last = view.lastIndexOf(LINE_FEED)
  if (last !== -1) {
    const before = last === 0 ? -1 : view.lastIndexOf(LINE_FEED, last - 1)
    position.lineStart = before === -1 ? position.lineEnd : position.offset + before + 1
    position.lineEnd = position.offset + last + 1
  }
  position.offset += view.length
}

/** Moves the position back to `offset`. The bytes before it are then unknown, except for the head. */
export function goBack(position: ReadPosition, offset: number): void {
  if (offset >= position.offset) return
  Object.assign(position, {
    offset,
    lineStart: offset,
    lineEnd: offset,
    tail: NO_BYTES,
    head: position.head.subarray(0, offset),
  })
}

/** Whether two files begin with the same bytes, as far as both were read. */
export function beginAlike(one: ReadPosition, other: ReadPosition): boolean {
  const length = Math.min(one.head.length, other.head.length)
  return one.head.subarray(0, length).equals(other.head.subarray(0, length))
}

/** Whether the same bytes precede two positions. */
export function endAlike(one: ReadPosition, other: ReadPosition): boolean {
  const length = Math.min(one.tail.length, other.tail.length)
  return length === 0 || one.tail.subarray(-length).equals(other.tail.subarray(-length))
}

/** Whether a file still begins with what was read of it. */
export function fits(file: number, { head, tail, offset }: ReadPosition): boolean {
  return holds(file, head, 0) && holds(file, tail, offset - tail.length)
}

function holds(file: number, expected: Buffer, position: number): boolean {
  const found = Buffer.alloc(expected.length)
  return readAt(file, found, position) === expected.length && found.equals(expected)
}
