import type { Clock } from '../clock.js'
import type { Discovery } from '../discovery/provider.js'
import type { Keys } from '../keys/keys.js'
import { verifyToken } from '../keys/tokens.js'
import type { SignIn } from '../signin/create-sign-in.js'
import type { Database } from '../store/database.js'
import type { Caller } from './onboarding.js'
import { plainProblem } from './refuse.js'

/** Where the service is reached. Read anew for each answer: a port may be known only after the start. */
export interface Urls {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly appUrl: string
}

/** What onboarding is made of. */
export interface OnboardingParts {
  readonly database: Database
  readonly keys: Keys
  readonly discovery: Discovery
  readonly signIn: SignIn
  readonly clock: Clock
  readonly urls: Urls
}

/** The audience of onboarding tokens: a token for anything else does not open these doors. */
export const ONBOARDING_AUDIENCE = 'omen-onboarding'

/** The id of the code that a token stands for. */
export async function codeIdOf({ keys, clock }: OnboardingParts, token: string | undefined): Promise<string> {
  if (!token) throw plainProblem('missing_token')
  const verified = await verifyToken(keys, token, ONBOARDING_AUDIENCE, clock())
  if (verified === 'expired') throw plainProblem('token_expired')
  if (verified === 'invalid') throw plainProblem('invalid_token')
  return verified.subject
}

export function signInUri({ urls }: Pick<OnboardingParts, 'urls'>, callbackId: string): string {
  return `${urls.baseUrl}/v1/auth/callback/${callbackId}`
}

/** Who did it, for audit records. */
export function callerDetail({ address, requestId }: Caller): {
  readonly address: string
  readonly request_id: string
} {
  return { address: clean(address), request_id: clean(requestId) }
}

/** What comes from outside is cut and freed of what a database cannot keep. */
function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, '?').slice(0, 100)
}
