import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../failure.js'

/** The longest path of a socket, including the final zero byte: 108 bytes on Linux, 104 on BSD and macOS. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103

/** The path to give to `listen` or `connect`, good until it is released. */
export interface SocketPath {
  readonly path: string
  release(): void
}

/**
 * The admin socket of a data directory. Where its path is too long for a socket, Linux reaches it through the open
 * directory, so that it is always in the same place.
 *
 * @example
 * const { path, release } = socketPath('/var/lib/omen') // '/var/lib/omen/admin.sock'
 */
export function socketPath(dataDir: string): SocketPath {
  const path = join(dataDir, 'admin.sock')
  if (Buffer.byteLength(path) <= LONGEST_PATH) return { path, release: () => undefined }
  if (!existsSync('/proc/self/fd')) {
    throw new Failure('Start', `${path} is too long for a socket: choose a --data-dir with a shorter path`)
  }
  const folder = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY)
  return { path: `/proc/self/fd/${folder}/admin.sock`, release: () => closeSync(folder) }
}
