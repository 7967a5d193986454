import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import type { Session } from '../session.js'
import { type AccountClock, CLOCK } from './account-clock.js'
import { openAccountService } from './account-service.js'
import { readSignIn, readTokens, removeTokens, type SignIn, tokenPath, withTokenLock } from './token-file.js'

export interface LogoutCommand {
  readonly quiet: boolean
}

/**
 * `omen logout`: revokes the tokens at the service (RFC 7009) and removes them from this machine. If one of the two fails, the other
 * is still done, and a `Failure` says what is left to do. Returns the exit code.
 *
 * @example
 * await logout({ quiet: false }, session) // Signed out of omen.example.com.
 */
export async function logout({ quiet }: LogoutCommand, session: Session, clock: AccountClock = CLOCK): Promise<number> {
  const { folder } = session.loaded
  const print = (line: string) => {
    if (!quiet) session.out.write(`${sanitize(line)}\n`)
  }
  const found = readTokens(folder)
  if (found === undefined) {
    print('You are not signed in.')
    return 0
  }
  if ('token' in found) {
    throw new Failure(
      'Usage',
      `an operator issued the token in ${tokenPath(folder)}: delete that file, and ask the operator to revoke the token`,
    )
  }
  const { failure, isRemoved } = await signOut(found, session, clock)
  const { host } = new URL(found.service)
  const endSession = `end the session at ${found.service}/sessions`
  const notRemoved = `${tokenPath(folder)} is read-only: remove it at its source`
  if (failure !== undefined) {
    throw new Failure(
      'Network',
      `${failure}. ${isRemoved ? `The tokens were removed from this machine; ${endSession}` : `${notRemoved}, and ${endSession}`}`,
    )
  }
  if (!isRemoved) throw new Failure('Config', `${notRemoved}. The session at ${host} has ended`)
  print(`Signed out of ${host}.`)
  return 0
}

interface SignedOut {
  /** Why the tokens could not be revoked. */
  readonly failure: string | undefined
  readonly isRemoved: boolean
}

async function signOut(found: SignIn, session: Session, clock: AccountClock): Promise<SignedOut> {
  const { folder } = session.loaded
  try {
    return await withTokenLock(folder, clock, async () => {
      // Another process may have renewed, removed or replaced the tokens in the meantime.
      const current = readSignIn(folder)
      if (current === undefined) return { failure: undefined, isRemoved: true }
      const failure = await revoke(current, session)
      removeTokens(folder)
      return { failure, isRemoved: true }
    })
  } catch (error) {
    if (!(error instanceof Failure && error.kind === 'Config')) throw error
    // In a read-only folder nobody renews the tokens: those found are the current ones.
    return { failure: await revoke(found, session), isRemoved: false }
  }
}

/** Returns why the tokens could not be revoked; undefined if they were. */
async function revoke({ service: address, refreshToken }: SignIn, { env }: Session): Promise<string | undefined> {
  try {
    const service = openAccountService({ url: new URL(address), env })
    await service.revoke(refreshToken).finally(() => service.close())
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}
