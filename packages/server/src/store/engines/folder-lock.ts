import { randomUUID } from 'node:crypto'
import { closeSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'

/**
 * The lock is a Unix socket that its owner listens on. The kernel closes it when the process ends, so connecting to it shows
 * whether the owner still runs. Process ids would not work: containers that share a folder all have a process 1.
 */
const NAME = 'database.lock'

/** The limit of operating systems is 104 to 108 bytes for the whole path. */
const LONGEST_SOCKET_PATH = 100

/** A round is lost if another process was faster: more than two are rarely needed. */
const ROUNDS = 10

/**
 * Locks a folder for this process. Gives the function that unlocks it, or undefined if it is locked by another process or by
 * another caller in this one.
 *
 * @example
 * const unlock = await lockFolder('/var/lib/omen')
 * if (!unlock) throw new Error('in use')
 */
export async function lockFolder(folder: string): Promise<(() => Promise<void>) | undefined> {
  const path = join(folder, NAME)
  const own = join(folder, `.${randomUUID()}`)
  const server = createServer((socket) => socket.destroy())
  server.unref()
  await listen(server, own)
  try {
    if (await linkLock(own, path)) {
      return async () => {
        rmSync(path, { force: true })
        await close(server)
      }
    }
    await close(server)
    return undefined
  } catch (error) {
    await close(server)
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

/**
 * Links the socket to the path of the lock, which succeeds for one process only. A dead lock is replaced by the process that
 * first locks the right to replace it. That right contains the inode of the dead lock, so a process that comes late finds
 * another inode and starts again: a new lock is never moved away.
 */
async function linkLock(own: string, path: string): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++) {
    if (succeeds(() => linkSync(own, path), 'EEXIST')) return true
    if (await hasOwner(path)) return false
    const dead = inodeOf(path)
    if (dead === undefined) continue
    const right = `${path}.${dead}`
    // A process that dies while holding the right leaves a dead lock like any other.
    if (!(await linkLock(own, right))) return false
    if (inodeOf(path) === dead && !(await hasOwner(path))) {
      renameSync(right, path)
      return true
    }
    rmSync(right, { force: true })
  }
  return false
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino
}

/** False if the action fails with the expected code; other errors are thrown. */
function succeeds(action: () => void, expected: string): boolean {
  try {
    action()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expected) return false
    throw error
  }
}

function hasOwner(path: string): Promise<boolean> {
  return withShortPath(
    path,
    (short) =>
      new Promise((resolve) => {
        const socket = connect(short)
        socket.once('connect', () => {
          socket.destroy()
          resolve(true)
        })
        // A full backlog (EAGAIN) means that the owner runs and accepts slowly.
        socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EAGAIN'))
      }),
  )
}

function listen(server: Server, path: string): Promise<void> {
  return withShortPath(
    path,
    (short) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(short, resolve)
      }),
  )
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** The path of a socket must be short. On Linux, a long path is reached through an open folder. */
async function withShortPath<T>(path: string, use: (short: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH || process.platform !== 'linux') return use(path)
  const folder = openSync(dirname(path), 'r')
  try {
    return await use(`/proc/self/fd/${folder}${path.slice(dirname(path).length)}`)
  } finally {
    closeSync(folder)
  }
}
