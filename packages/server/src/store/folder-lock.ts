import { randomUUID } from 'node:crypto'
import { closeSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'

/**
 * The lock is a Unix socket that its owner listens on. The kernel closes it with the process, however that ends, so a lock
 * without an owner is told from one with an owner by connecting to it. Process ids would not do: containers that share a
 * folder all have a process 1.
 */
const NAME = 'database.lock'

/** The system's limit is 104 to 108 bytes for the whole path. */
const LONGEST_SOCKET_PATH = 100

/** A round is lost when somebody else was faster, who then has the lock: more than two are hardly ever needed. */
const ROUNDS = 10

/**
 * Takes a folder for this process. Gives the function that returns it, or undefined when another process (or another part
 * of this one) has it.
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
    if (await place(own, path)) {
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
 * Links the socket into the place of the lock, which succeeds for one process only. A lock without an owner is replaced by
 * whoever first locks the right to replace it. That right names the file to be replaced, so somebody who found the same dead
 * lock and comes late finds another file in its place and starts anew: nobody's fresh lock is ever moved away.
 */
async function place(own: string, path: string): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++) {
    if (happens(() => linkSync(own, path), 'EEXIST')) return true
    if (await hasOwner(path)) return false
    const dead = inodeOf(path)
    if (dead === undefined) continue
    const right = `${path}.${dead}`
    // Who dies while holding the right leaves a dead lock like any other.
    if (!(await place(own, right))) return false
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

/** False when the action fails with the expected code; other failures are thrown. */
function happens(action: () => void, expected: string): boolean {
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
        // A full backlog (EAGAIN) has somebody who is slow to accept.
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

/** A socket's path is short by law. On Linux a long one is reached through an open folder. */
async function withShortPath<T>(path: string, use: (short: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH || process.platform !== 'linux') return use(path)
  const folder = openSync(dirname(path), 'r')
  try {
    return await use(`/proc/self/fd/${folder}${path.slice(dirname(path).length)}`)
  } finally {
    closeSync(folder)
  }
}
