import { hash } from 'node:crypto'
import type { Clock } from '../clock.js'
import type { Keys } from '../keys/keys.js'
import { decryptSecret, keyIdOf, type Place } from '../keys/secrets.js'
import type { Urls } from '../onboarding/parts.js'
import { Problem } from '../problem.js'
import type { SignIn } from '../signin/create-sign-in.js'
import type { Database } from '../store/database.js'

/** What sign-in and sessions are made of. */
export interface SessionsParts {
  readonly database: Database
  readonly keys: Keys
  readonly signIn: SignIn
  readonly clock: Clock
  readonly urls: Urls
}

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Where the PKCE verifier of a browser on its way stands. */
export function loginVerifierPlace(stateHash: string): Place {
  return { table: 'logins', row: stateHash, column: 'verifier' }
}

/** Where what the identity provider gave for a session stands. */
export function tokensPlace(sessionId: string): Place {
  return { table: 'sessions', row: sessionId, column: 'provider_tokens' }
}

/** Decrypts what stands in a place. Rejects with a `Problem` when the key is not there. */
export async function openSecret(keys: Keys, encrypted: string, place: Place): Promise<string> {
  const key = await keys.encryptionKey(keyIdOf(encrypted))
  if (key) return decryptSecret([key], encrypted, place)
  throw new Problem('unavailable', 'The service cannot read its secrets at the moment: tell the operator.', {
    cause: new Error(`the encryption key ${keyIdOf(encrypted)} is not among the keys of this process`),
  })
}

/** Somebody in audit records. */
export function userActor(userId: string): string {
  return `user ${userId}`
}

export function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds)
}

/** What is kept of a text that may be of any length. */
export function digest(text: string): string {
  return hash('sha256', text, 'hex')
}

/** What comes from outside is cut and freed of what a database cannot keep. */
export function storable(text: string, limit: number): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, '?').slice(0, limit)
}
