import { hash, randomBytes } from 'node:crypto'

/** What a token may be good for. */
export const SCOPES = ['rules:read', 'rules:publish', 'audit:read', 'members:read'] as const
export type Scope = (typeof SCOPES)[number]

/** Tells our tokens from everything else that may stand behind `Bearer`, for us and for programs that look for leaked secrets. */
export const TOKEN_PREFIX = 'omen_'

/** Bitcoin's base58: no 0, O, I or l. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BYTES = 32
/** 58^44 is the first power above 2^256; smaller numbers are filled up, so that every token has this length. */
const LENGTH = 44
const SHAPE = /^omen_[1-9A-HJ-NP-Za-km-z]{44}$/

/**
 * Makes a token: 256 random bits in base58 behind a prefix.
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

/** Whether a text can be a token at all: only such a text is looked up. */
export function isToken(text: string): boolean {
  return SHAPE.test(text)
}

/** What is kept of a token. There is no salt in it: 256 random bits need none, and are found by it in an index. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}
