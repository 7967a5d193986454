import { Failure } from '../failure.js'

/** The errors of the operating system, with what to do about them. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space, or choose another folder',
  EDQUOT: 'the disk quota is exceeded; free some space, or choose another folder',
  EFBIG: 'the file would exceed the size limit; choose another folder',
  EACCES: 'permission denied; choose another folder',
  EPERM: 'permission denied; choose another folder',
  EROFS: 'the file system is read-only; choose another folder',
  EISDIR: 'is a directory; give a file name',
  ENOTDIR: 'part of the path is not a folder',
  ENOENT: 'the folder does not exist; create it or choose another name',
  ENAMETOOLONG: 'the name is too long; choose a shorter one',
  ELOOP: 'too many symbolic links; choose another name',
  EBUSY: 'is in use, or is a mount point; choose another name',
  ETXTBSY: 'is a running program; choose another name',
  EBADF: 'is not open for writing; choose another name',
  ENXIO: 'has no reader; choose another name',
  EMFILE: 'too many open files; raise the limit with ulimit -n',
  ENFILE: 'too many open files on this machine',
  EIO: 'the disk reports an error',
}

/** The codes that mean that the reader has gone: `| head` is not an error. */
const READER_GONE: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])

/**
 * Converts an error of the operating system to a failure with a message for the user. Returns any other error unchanged.
 *
 * @example
 * explainWriteError('report.json', error)   // Output error: report.json: the disk is full; free some space …
 */
export function explainWriteError(name: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined || error instanceof Failure) return error
  return new Failure('Output', `${name}: ${REASONS[code] ?? code}`, { cause: error })
}

export function hasReaderGone(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && READER_GONE.has(code)
}

/** The code of a system call's error, such as `ENOSPC`. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const { code } = error
  return typeof code === 'string' && /^E[A-Z_]+/.test(code) ? code : undefined
}
