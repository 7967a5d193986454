import { findCodeStanding } from '../store/codes.js'
import { codeIdOf, type OnboardingParts } from './parts.js'
import { admitCode } from './refuse.js'

/** Tells whether a token still works, for a request whose body is wrong: a bad token is told before a bad body. */
export async function authenticate(parts: OnboardingParts, token: string): Promise<void> {
  const code = await findCodeStanding(parts.database, await codeIdOf(parts, token))
  admitCode(code, 'open', parts.clock())
}
