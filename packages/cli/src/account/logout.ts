import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import type { Session } from '../session.js'
import { type AccountClock, CLOCK } from './account-clock.js'
import { openAccountService } from './account-service.js'
import { readSignIn, readTokens, removeTokens, type SignIn, tokenPath } from './token-file.js'
import { withTokenLock } from './token-lock.js'

export interface LogoutCommand {
  readonly quiet: boolean
}

/**
 * `omen logout`: ends the sign-in at the service (RFC 7009) and removes the tokens here. Where one of the two cannot be done, the
 * other is done all the same, and a `Failure` says what is left to do. Returns the exit code.
 *
 * @example
 * await logout({ quiet: false }, session) // Signed out of omen.example.com.
 */
export async function logout({ quiet }: LogoutCommand, session: Session, clock: AccountClock = CLOCK): Promise<number> {
  const { folder } = session.loaded
  const say = (line: string) => {
    if (!quiet) session.out.write(`${sanitize(line)}\n`)
  }
  const found = readTokens(folder)
  if (found === undefined) {
    say('You are not signed in.')
    return 0
  }
  if ('token' in found) {
    throw new Failure(
      'Usage',
      `omen login did not make the token in ${tokenPath(folder)}: to give it up, delete that file, and let the operator revoke it`,
    )
  }
  const { problem, isRemoved } = await end(found, session, clock)
  const { host } = new URL(found.service)
  const there = `end the session there: ${found.service}/sessions`
  const stays = `${tokenPath(folder)} cannot be removed: delete it where it comes from`
  if (problem !== undefined) {
    throw new Failure(
      'Network',
      `${problem}. ${isRemoved ? `The tokens are removed here; ${there}` : `${stays}, and ${there}`}`,
    )
  }
  if (!isRemoved) throw new Failure('Config', `${stays}. Its sign-in at ${host} has ended`)
  say(`Signed out of ${host}.`)
  return 0
}

interface Ended {
  /** Why the service could not be told. */
  readonly problem: string | undefined
  readonly isRemoved: boolean
}

async function end(found: SignIn, session: Session, clock: AccountClock): Promise<Ended> {
  const { folder } = session.loaded
  try {
    return await withTokenLock(folder, clock, async () => {
      // Another process may have renewed them meanwhile, or removed them; what is no sign-in by now is left alone.
      const current = readSignIn(folder)
      if (current === undefined) return { problem: undefined, isRemoved: true }
      const problem = await revoke(current, session)
      removeTokens(folder)
      return { problem, isRemoved: true }
    })
  } catch (error) {
    if (!(error instanceof Failure && error.kind === 'Config')) throw error
    // What nobody can write, nobody renews: what was found is what there is.
    return { problem: await revoke(found, session), isRemoved: false }
  }
}

/** Why the service could not be told. */
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
