import { userInfo } from 'node:os'

/** What the errors of the system mean, and what to do. */
const REASONS: Readonly<Record<string, string | (() => string)>> = {
  ENOENT: 'no such file',
  EACCES: () => `permission denied${userAdvice()}`,
  EPERM: () => `permission denied${userAdvice()}`,
  EISDIR: 'is a folder',
  ENOTDIR: 'no such file: a part of the path is not a folder',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  ENXIO: 'a socket cannot be read: name a file or a pipe',
  EMFILE: 'too many open files: raise the limit with ulimit -n',
  ENFILE: 'too many open files in the whole system',
  EBADF: 'is closed: nothing can be read from it',
  EIO: 'the disk reports an error: see dmesg',
  ESTALE: 'the file is gone from the server: mount it again',
  ERR_INVALID_ARG_VALUE: 'no such file: a name cannot contain a zero byte',
}

/**
 * Explains why a file cannot be read, without its name.
 *
 * @example
 * describeReadError(error) // 'permission denied for the user app: try sudo'
 */
export function describeReadError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const reason = code === undefined ? undefined : REASONS[code]
  if (typeof reason === 'function') return reason()
  return reason ?? message.replace(/^E[A-Z]+: /, '').replace(/, \w+( '.*')?$/, '')
}

function userAdvice(): string {
  const id = process.getuid?.()
  if (id === 0) return ' even for root: the file system does not allow it'
  return ` for the user ${nameOfUser(id)}: try sudo`
}

/** In a container the user often has no name. */
function nameOfUser(id: number | undefined): string {
  try {
    return userInfo().username
  } catch {
    return String(id)
  }
}
