import { isLoopback } from '../network/authorization.js'
import { isToken } from './token-file.js'

/** What a tool is told when it asks to be signed in (RFC 8628, section 3.2). Times are milliseconds. */
export interface DeviceAuthorization {
  readonly deviceCode: string
  readonly userCode: string
  readonly uri: URL
  /** The same with the code in it, where the service has one. */
  readonly uriComplete: URL | undefined
  readonly lasts: number
  readonly interval: number
}

/** A pair of tokens (RFC 6749, section 5.1). */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** Milliseconds. */
  readonly lasts: number
}

/** A no of the token endpoint (RFC 6749, section 5.2). */
export interface Refusal {
  readonly error: string
}

/** Who is signed in. */
export interface Person {
  readonly email: string
  readonly name: string
  readonly org: { readonly name: string; readonly domain: string }
}

const SECOND = 1000
const USUAL_INTERVAL = 5
/** A service that wants longer pauses, or gives more time, does not mean it: nobody waits for an hour. */
const LONGEST_INTERVAL = 300
const LONGEST_WAIT = 3600

/** What people type: letters, digits and what stands between them, in any script, and not more than a line of it. */
const USER_CODE = /^[\p{L}\p{N}][\p{L}\p{N} -]{0,39}$/u

const ERROR = /^[\w.-]{1,60}$/

const USUAL_LIFE = 3600
const LONGEST_LIFE = 30 * 24 * 3600

/** Longer names are not shown, and not stored. */
const LONGEST_NAME = 300

/** Reads the answer to a sign-in that begins; undefined where it is none that can be shown and followed. */
export function readDeviceAuthorization(answer: unknown, service: URL): DeviceAuthorization | undefined {
  const { device_code, user_code, verification_uri, verification_uri_complete, expires_in, interval } = objectOf(answer)
  const uri = readPage(verification_uri, service)
  const uriComplete = readPage(verification_uri_complete, service)
  const pause = interval ?? USUAL_INTERVAL
  if (typeof device_code !== 'string' || device_code === '' || device_code.length > 2048 || !uri) return undefined
  if (verification_uri_complete !== undefined && uriComplete === undefined) return undefined
  if (typeof user_code !== 'string' || !USER_CODE.test(user_code)) return undefined
  if (!isSeconds(expires_in) || !isSeconds(pause) || pause > LONGEST_INTERVAL) return undefined
  return {
    deviceCode: device_code,
    userCode: user_code,
    uri,
    uriComplete,
    lasts: Math.min(expires_in, LONGEST_WAIT) * SECOND,
    interval: Math.max(1, pause) * SECOND,
  }
}

/**
 * A page that people are sent to: on the web, without a name that looks like another host, and not without TLS by a service
 * that has it.
 */
function readPage(value: unknown, service: URL): URL | undefined {
  if (typeof value !== 'string' || value.length > 2048 || !URL.canParse(value)) return undefined
  const url = new URL(value)
  const isWeb =
    url.protocol === 'https:' || (url.protocol === 'http:' && (service.protocol === 'http:' || isLoopback(url)))
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

/** Reads a pair of tokens; undefined where it is none. */
export function readTokenAnswer(answer: unknown): Tokens | undefined {
  const { access_token, refresh_token, token_type, expires_in = USUAL_LIFE } = objectOf(answer)
  if (!isToken(access_token) || !isToken(refresh_token) || !isSeconds(expires_in)) return undefined
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer') return undefined
  return { accessToken: access_token, refreshToken: refresh_token, lasts: Math.min(expires_in, LONGEST_LIFE) * SECOND }
}

export function readRefusal(answer: unknown): Refusal | undefined {
  const { error } = objectOf(answer)
  return typeof error === 'string' && ERROR.test(error) ? { error } : undefined
}

/** Reads who is signed in; undefined where it does not say. */
export function readPerson(answer: unknown): Person | undefined {
  const { email, name, org } = objectOf(answer)
  const { name: orgName, domain } = objectOf(org)
  if (!isName(email) || !isName(name) || !isName(orgName) || !isName(domain)) return undefined
  return { email, name, org: { name: orgName, domain } }
}

/** Reads when the session of whoever asks ends, in milliseconds since 1970. */
export function readEnd(answer: unknown): number | undefined {
  const { sessions } = objectOf(answer)
  if (!Array.isArray(sessions)) return undefined
  const own = sessions.map(objectOf).find(({ current }) => current === true)
  const end = typeof own?.expires_at === 'string' ? Date.parse(own.expires_at) : Number.NaN
  return Number.isNaN(end) ? undefined : end
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_NAME
}
