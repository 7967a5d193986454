import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Far more than anybody writes by hand; past it something else was named. */
export const MAX_BYTES = 1024 * 1024

/** What a file holds, or why it cannot be read. */
export type SmallFile = { readonly bytes: Uint8Array } | { readonly code: string; readonly problem: string }

/** Codes of our own beside those of the system: a pipe or a device, and too many bytes. */
const NOT_ON_DISK = 'not-on-disk'
export const TOO_LARGE = 'too-large'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  EISDIR: 'it is a folder, not a file',
  ELOOP: 'its symbolic links go in a circle',
  ENAMETOOLONG: 'the path is too long',
  ENXIO: 'it is a socket, not a file',
  [NOT_ON_DISK]: 'it is a device or a pipe, not a file',
  [TOO_LARGE]: 'it is larger than 1 MiB, which no such file is',
}

/**
 * Reads a file on disk that people write by hand. It never throws, never waits, and never reads more than 1 MiB.
 *
 * @example
 * const file = readSmallFile('config.yaml') // { code: 'ENOENT', problem: 'no such file' }
 */
export function readSmallFile(path: string): SmallFile {
  try {
    // Without O_NONBLOCK, opening a named pipe that nobody writes to would never come back.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return readOpenFile(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code = 'UNKNOWN', message } = error as NodeJS.ErrnoException
    return refusal(code, message)
  }
}

function readOpenFile(file: number): SmallFile {
  const stats = fstatSync(file)
  if (stats.isDirectory()) return refusal('EISDIR')
  if (!stats.isFile()) return refusal(NOT_ON_DISK)
  if (stats.size > MAX_BYTES) return refusal(TOO_LARGE)
  // One byte more than the size: a file that grows, or one of /proc that says 0, is read on.
  let buffer = Buffer.allocUnsafe(stats.size + 1)
  let length = 0
  for (;;) {
    const bytes = readSync(file, buffer, length, buffer.length - length, null)
    length += bytes
    if (bytes === 0) return { bytes: buffer.subarray(0, length) }
    if (length > MAX_BYTES) return refusal(TOO_LARGE)
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(MAX_BYTES + 1, length * 2 + 4096))
  }
}

/** Why a file cannot be read, for a message. */
export function refusal(code: string, message = code): { readonly code: string; readonly problem: string } {
  return { code, problem: REASONS[code] ?? `it cannot be read: ${message}` }
}

/** A text, and where it stops being one. */
export interface DecodedText {
  readonly text: string
  readonly problem?: { readonly at: number; readonly message: string }
}

const REPLACEMENT = '\ufffd'

/** The text of a file, without a byte order mark. Bytes that no text file has are a problem with its place. */
export function decodeText(bytes: Uint8Array): DecodedText {
  // Making the first TextDecoder of a process takes longer than all else here.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  if (!isUtf8(bytes)) {
    const message = 'this is not UTF-8 text: save the file as UTF-8'
    return { text, problem: { at: firstBroken(text, bytes), message } }
  }
  const at = text.indexOf('\0')
  return at === -1 ? { text } : { text, problem: { at, message: 'a NUL byte: this is not a text file' } }
}

/** The first replacement character of the text that does not stand in the file itself. */
function firstBroken(text: string, bytes: Uint8Array): number {
  let from = 0
  let offset = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, from)) {
    offset += Buffer.byteLength(text.slice(from, at))
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return at
    offset += 3
    from = at + 1
  }
  return 0
}
