import { sanitize } from '../console/sanitize.js'
import { Failure } from '../failure.js'
import type { Session } from '../session.js'
import { type AccountClock, CLOCK } from './account-clock.js'
import { openAccountService } from './account-service.js'
import { readTokens, removeTokens, type SignIn, tokenPath } from './token-file.js'
import { withTokenLock } from './token-lock.js'

export interface LogoutCommand {
  readonly quiet: boolean
}

/**
 * `omen logout`: ends the sign-in at the service (RFC 7009) and removes the tokens here. Returns the exit code: 1 when the service
 * could not be told; then the tokens are removed all the same, and what is left to do is said.
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
  const problem = await withTokenLock(folder, clock, async () => {
    // Another process may have renewed them meanwhile.
    const current = readTokens(folder)
    if (!current || 'token' in current) return undefined
    const reason = await revoke(current, session)
    removeTokens(folder)
    return reason
  })
  const { host } = new URL(found.service)
  if (problem === undefined) {
    say(`Signed out of ${host}.`)
    return 0
  }
  throw new Failure(
    'Network',
    `${problem}. The tokens are removed here; end the session there: ${found.service}/sessions`,
  )
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
