import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import { type AccessToken, findAccessTokenByHash, noteTokenUse } from '../store/organizations/access-tokens.js'
import type { ReleaseRequester } from './releases.js'

/** The scopes of a token. */
export const SCOPES = ['rules:read', 'rules:publish', 'audit:read', 'members:read'] as const
export type Scope = (typeof SCOPES)[number]

/** Distinguishes Omen's tokens from other bearer tokens, also for scanners that look for leaked secrets. */
export const TOKEN_PREFIX = 'omen_'

/** Bitcoin's base58: no 0, O, I or l. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BYTES = 32
/** 58^44 is the first power above 2^256; smaller numbers are padded, so that every token has this length. */
const LENGTH = 44
const SHAPE = /^omen_[1-9A-HJ-NP-Za-km-z]{44}$/

/**
 * Makes a token: a prefix and 256 random bits in base58.
 *
 * @example
 * makeToken() // 'omen_5mCTRVrLtbLuLNxHgyGcXbRZyhRMdVKqxbSrMDfhyWEa'
 */
export function makeToken(random: (bytes: number) => Uint8Array = randomBytes): string {
  let rest = BigInt(`0x${Buffer.from(random(BYTES)).toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = ALPHABET[Number(rest % 58n)] + text
  return `${TOKEN_PREFIX}${text.padStart(LENGTH, ALPHABET[0])}`
}

/** Whether a string has the form of a token: only then is it looked up. */
export function isToken(text: string): boolean {
  return SHAPE.test(text)
}

/** The stored hash of a token. 256 random bits need no salt, so it can be found in an index. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** The same message for unknown, mistyped and revoked tokens: it reveals nothing about which tokens exist. */
const INVALID =
  'This token is mistyped or was revoked. Ask your administrator or the operator for a new one, or send no token for public files.'

/** The last use is stored at most this often: a write for each request would cost more than the request. */
const NOTE_MS = 60_000

/** The owner of a token. Rejects when it is unknown, revoked or expired. */
export async function identify(database: Queries, clock: Clock, token: string): Promise<ReleaseRequester> {
  const found = isToken(token) ? await findAccessTokenByHash(database, hashToken(token)) : undefined
  if (found === undefined || found.revokedAt) throw new Problem('invalid_token', INVALID)
  const now = clock()
  if (hasExpired(found.expiresAt, now)) {
    throw new Problem(
      'token_expired',
      `This token expired on ${shownEnd(found.expiresAt!)} (UTC). Ask your administrator or the operator for a new one.`,
    )
  }
  await noteUse(database, found, now)
  return {
    organizationId: found.organizationId,
    organization: found.organization,
    tokenId: found.id,
    scopes: SCOPES.filter((scope) => found.scopes.includes(scope)),
  }
}

async function noteUse(database: Queries, { id, lastUsedAt }: AccessToken, now: Date): Promise<void> {
  const passed = lastUsedAt === undefined ? Number.NaN : now.getTime() - lastUsedAt.getTime()
  // A time in the future was stored before the clock was set back.
  if (passed >= 0 && passed < NOTE_MS) return
  await noteTokenUse(database, id, now, new Date(now.getTime() - NOTE_MS))
}

export function hasExpired(expiresAt: Date | undefined, now: Date): boolean {
  return expiresAt !== undefined && now >= expiresAt
}

/**
 * The end of a token, in UTC: only the date when it ends at midnight, as the operator's tokens do.
 *
 * @example
 * shownEnd(new Date('2030-12-31T00:00:00Z')) // '2030-12-31'
 */
export function shownEnd(expiresAt: Date): string {
  return expiresAt.toISOString().replace(/T00:00:00\.000Z$/, '')
}
