import { isLoopback } from '../network/authorization.js'
import { isToken } from './token-file.js'

/** The response to a started sign-in (RFC 8628, section 3.2). Times are milliseconds. */
export interface DeviceAuthorization {
  readonly deviceCode: string
  readonly userCode: string
  readonly uri: URL
  /** The same page with the code in its URL, if the service has one. */
  readonly uriComplete: URL | undefined
  readonly lifetime: number
  readonly interval: number
}

/** A pair of tokens (RFC 6749, section 5.1). */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** Milliseconds. */
  readonly lifetime: number
}

/** An error response of the token endpoint (RFC 6749, section 5.2). */
export interface OAuthError {
  readonly error: string
}

/** The user who is signed in. */
export interface User {
  readonly email: string
  readonly name: string
  readonly org: { readonly name: string; readonly domain: string }
}

const SECOND = 1000
const DEFAULT_INTERVAL = 5
/** In seconds: no user waits longer at a terminal. */
const MAX_INTERVAL = 300
const MAX_WAIT = 3600

/** A code that a user can type: letters and digits in any script, spaces and dashes; at most 40 characters. */
const USER_CODE = /^[\p{L}\p{N}][\p{L}\p{N} -]{0,39}$/u

const ERROR_CODE = /^[\w.-]{1,60}$/

const DEFAULT_LIFETIME = 3600
const MAX_LIFETIME = 30 * 24 * 3600

const MAX_NAME_LENGTH = 300

/** Reads the response to a started sign-in; undefined if it is invalid, or not safe to show to the user. */
export function readDeviceAuthorization(response: unknown, service: URL): DeviceAuthorization | undefined {
  const { device_code, user_code, verification_uri, verification_uri_complete, expires_in, interval } =
    objectOf(response)
  const uri = readPage(verification_uri, service)
  const uriComplete = readPage(verification_uri_complete, service)
  const pause = interval ?? DEFAULT_INTERVAL
  if (typeof device_code !== 'string' || device_code === '' || device_code.length > 2048 || !uri) return undefined
  if (verification_uri_complete !== undefined && uriComplete === undefined) return undefined
  if (typeof user_code !== 'string' || !USER_CODE.test(user_code)) return undefined
  if (!isSeconds(expires_in) || !isSeconds(pause) || pause > MAX_INTERVAL) return undefined
  return {
    deviceCode: device_code,
    userCode: user_code,
    uri,
    uriComplete,
    lifetime: Math.min(expires_in, MAX_WAIT) * SECOND,
    interval: Math.max(1, pause) * SECOND,
  }
}

/** The URL of a page that the user may open: HTTP(S), without a user name that looks like another host, and TLS if the service has it. */
function readPage(value: unknown, service: URL): URL | undefined {
  if (typeof value !== 'string' || value.length > 2048 || !URL.canParse(value)) return undefined
  const url = new URL(value)
  const isWeb =
    url.protocol === 'https:' || (url.protocol === 'http:' && (service.protocol === 'http:' || isLoopback(url)))
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

/** Reads a pair of tokens; undefined if it is invalid. */
export function readTokenResponse(response: unknown): Tokens | undefined {
  const { access_token, refresh_token, token_type, expires_in = DEFAULT_LIFETIME } = objectOf(response)
  if (!isToken(access_token) || !isToken(refresh_token) || !isSeconds(expires_in)) return undefined
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer') return undefined
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    lifetime: Math.min(expires_in, MAX_LIFETIME) * SECOND,
  }
}

export function readOAuthError(response: unknown): OAuthError | undefined {
  const { error } = objectOf(response)
  return typeof error === 'string' && ERROR_CODE.test(error) ? { error } : undefined
}

/** Reads the user who is signed in; undefined if the response is invalid. */
export function readUser(response: unknown): User | undefined {
  const { email, name, org } = objectOf(response)
  const { name: orgName, domain } = objectOf(org)
  if (!isName(email) || !isName(name) || !isName(orgName) || !isName(domain)) return undefined
  return { email, name, org: { name: orgName, domain } }
}

/** Reads when the requester's session ends, in milliseconds since 1970. */
export function readSessionEnd(response: unknown): number | undefined {
  const { sessions } = objectOf(response)
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
  return typeof value === 'string' && value.length <= MAX_NAME_LENGTH
}

/** What is known about the sign-in of this machine. */
export interface SignInStatus {
  readonly isSignedIn: boolean
  readonly service: string | undefined
  readonly user: User | undefined
  /** Milliseconds since 1970. */
  readonly until: number | undefined
}

/**
 * A user in one line: name and e-mail address, or only the address if the service knows no name.
 *
 * @example
 * describeUser({ email: 'ada@acme.com', name: 'Ada Lovelace', org }) // 'Ada Lovelace <ada@acme.com>'
 */
export function describeUser({ name, email }: User): string {
  return name === email || name === '' ? email : `${name} <${email}>`
}

/** The status for `--json`: an unknown value is null. */
export function statusAsJson({ isSignedIn, service, user, until }: SignInStatus) {
  return {
    signedIn: isSignedIn,
    service: service ?? null,
    email: user?.email ?? null,
    name: user?.name ?? null,
    org: user?.org ?? null,
    until: until === undefined ? null : new Date(until).toISOString(),
  }
}
