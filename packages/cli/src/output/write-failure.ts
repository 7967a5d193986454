import { Failure } from '../failure.js'

/** What the operating system's refusals mean to somebody who wants a file, and what to do about them. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space or choose another place',
  EDQUOT: 'the disk quota is used up; free some space or choose another place',
  EFBIG: 'the file would be larger than is allowed here; choose another place',
  EACCES: 'permission denied; choose another place',
  EPERM: 'permission denied; choose another place',
  EROFS: 'the file system is read-only; choose another place',
  EISDIR: 'is a directory; give a file name',
  ENOTDIR: 'a part of the path is not a folder',
  ENOENT: 'the folder does not exist; create it or choose another name',
  ENAMETOOLONG: 'the name is too long; choose a shorter one',
  ELOOP: 'too many symbolic links; choose another name',
  EBUSY: 'is in use, or a mount point; write to another name',
  ETXTBSY: 'is a program that is running; write to another name',
  EBADF: 'is not open for writing; choose another name',
  ENXIO: 'nobody can read from it; choose another name',
  EMFILE: 'too many open files; raise the limit with ulimit -n',
  ENFILE: 'too many open files on this machine',
  EIO: 'the disk reports an error',
}

/** Codes with which a reader says that it has seen enough: `| head` is not an error. */
const READER_LEFT: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])

/**
 * An error of the operating system as a message for the user. Anything else is a mistake of ours, and stays as it is.
 *
 * @example
 * explainWriteError('report.json', error)   // Output error: report.json: the disk is full; free some space …
 */
export function explainWriteError(name: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined || error instanceof Failure) return error
  return new Failure('Output', `${name}: ${REASONS[code] ?? code}`, { cause: error })
}

export function hasReaderLeft(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && READER_LEFT.has(code)
}

/** The code of a system call's error, such as `ENOSPC`. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const { code } = error
  return typeof code === 'string' && /^E[A-Z_]+/.test(code) ? code : undefined
}
