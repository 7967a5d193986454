import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Far larger than any file that is written by hand. */
export const MAX_BYTES = 1024 * 1024

/** The content of a file, or why it cannot be read. */
export type SmallFile = { readonly bytes: Uint8Array } | UnreadableFile

/** Why a file cannot be read. */
export interface UnreadableFile {
  readonly code: string
  readonly problem: string
}

/** Codes in addition to those of the system: a pipe or a device, and a file that is too large. */
const NOT_ON_DISK = 'not-on-disk'
export const TOO_LARGE = 'too-large'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'part of the path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a folder, not a file',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the path is too long',
  ENXIO: 'is a socket, not a file',
  [NOT_ON_DISK]: 'is a device or a pipe, not a file',
  [TOO_LARGE]: 'is larger than 1 MiB',
}

/**
 * Reads a file that is written by hand. Never throws, never blocks on a pipe, and never reads more than 1 MiB.
 *
 * @example
 * const file = readSmallFile('config.yaml') // { code: 'ENOENT', problem: 'no such file' }
 */
export function readSmallFile(path: string): SmallFile {
  try {
    // Without O_NONBLOCK, opening a named pipe without a writer would block.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return readOpenFile(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code = 'UNKNOWN', message } = error as NodeJS.ErrnoException
    return explainUnreadable(code, message)
  }
}

function readOpenFile(file: number): SmallFile {
  const stats = fstatSync(file)
  if (stats.isDirectory()) return explainUnreadable('EISDIR')
  if (!stats.isFile()) return explainUnreadable(NOT_ON_DISK)
  if (stats.size > MAX_BYTES) return explainUnreadable(TOO_LARGE)
  // One byte more than the size, so that reading continues if a file has grown or is in /proc, where the size is 0.
  let buffer = Buffer.allocUnsafe(stats.size + 1)
  let length = 0
  for (;;) {
    const bytes = readSync(file, buffer, length, buffer.length - length, null)
    length += bytes
    if (bytes === 0) return { bytes: buffer.subarray(0, length) }
    if (length > MAX_BYTES) return explainUnreadable(TOO_LARGE)
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(MAX_BYTES + 1, length * 2 + 4096))
  }
}

/** Explains why a file cannot be read. */
export function explainUnreadable(code: string, message = code): UnreadableFile {
  return { code, problem: REASONS[code] ?? `cannot be read: ${message}` }
}

/** Decoded text, and the first error in it. */
export interface DecodedText {
  readonly text: string
  readonly problem?: { readonly at: number; readonly message: string }
}

const REPLACEMENT = '\ufffd'

/** Decodes UTF-8 without a byte order mark. Invalid UTF-8 and NUL bytes are a problem at an offset of the text. */
export function decodeText(bytes: Uint8Array): DecodedText {
  // Creating the first TextDecoder of a process takes longer than everything else here.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  if (!isUtf8(bytes)) {
    const message = 'not valid UTF-8: save the file as UTF-8'
    return { text, problem: { at: firstBroken(text, bytes), message } }
  }
  const at = text.indexOf('\0')
  return at === -1 ? { text } : { text, problem: { at, message: 'contains a NUL byte: not a text file' } }
}

/** The offset of the first replacement character that is not in the file itself. */
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
