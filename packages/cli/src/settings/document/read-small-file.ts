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
