import { dirname } from 'node:path'
import { Failure } from '../failure.js'
import { takeLock } from '../file-lock.js'
import { makeFolder } from '../make-folder.js'
import type { AccountClock } from './account-clock.js'
import { tokenPath } from './token-file.js'

/** Whoever holds it asks a service for tokens, which may take so long. */
const PATIENCE = 40_000
const LOOK_AGAIN = 50

/** The codes with which a system says that nothing can be written there. */
const READ_ONLY: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM'])

/**
 * Does something while no other process changes the tokens: a refresh token is good once, and two must not spend the same one.
 * Rejects with a `Failure` where the configuration directory cannot be written to.
 *
 * @example
 * await withTokenLock(folder, CLOCK, async () => writeSignIn(folder, signIn))
 */
export async function withTokenLock<T>(folder: string, clock: AccountClock, work: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(`${tokenPath(folder)}.lock`, clock)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

async function waitForLock(path: string, clock: AccountClock) {
  const givenUpAt = clock.monotonic() + PATIENCE
  for (;;) {
    const lock = take(path)
    if (!('heldBy' in lock)) return lock
    if (clock.monotonic() >= givenUpAt) {
      throw new Failure('State', `${path}: tokens are being changed ${lock.heldBy}: try again when it is done`)
    }
    await clock.pause(LOOK_AGAIN)
  }
}

function take(path: string) {
  const folder = dirname(path)
  try {
    makeFolder(folder)
    return takeLock(path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const reason = `cannot be written to${code === '' || READ_ONLY.has(code) ? '' : ` (${code})`}`
    const advice = 'make it writable, or set OMEN_CONFIG_DIR to a folder of your own'
    throw new Failure('Config', `${folder} ${reason}, and tokens are kept there: ${advice}`, { cause: error })
  }
}
