import type { FastifyRequest } from 'fastify'
import type { Devices } from '../../devices/devices.js'
import { Problem } from '../../problem.js'
import { isToken } from '../../releases/token.js'
import type { Sessions, User } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { findBearerToken } from './authorization.js'
import { createSessionCookie } from './cookies.js'

/** Finds the signed-in user who sends a request. */
export interface UserFinder {
  /** By the session cookie alone: for pages. */
  byCookie(request: FastifyRequest): Promise<User | undefined>
  /** By the access token, or else by the session cookie. Rejects with a `Problem` if nobody is signed in. */
  require(request: FastifyRequest): Promise<User>
}

export interface UserFinderDeps {
  readonly sessions: Pick<Sessions, 'read'>
  readonly devices: Pick<Devices, 'read'>
  readonly settings: Pick<Settings, 'baseUrl' | 'appUrl'>
}

/**
 * Makes the finder of signed-in users.
 *
 * @example
 * const users = createUserFinder({ sessions, devices, settings })
 * const { email } = await users.require(request)
 */
export function createUserFinder({ sessions, devices, settings }: UserFinderDeps): UserFinder {
  const cookie = createSessionCookie(settings)
  const byCookie = (request: FastifyRequest) => sessions.read(cookie.read(request))
  return {
    byCookie,
    require: async (request) => {
      // A request with a token is decided by the token: a cookie does not replace a bad one.
      if (request.headers.authorization !== undefined) return byToken(request, devices)
      const user = await byCookie(request)
      if (user) return user
      throw new Problem('missing_session', `Nobody is signed in. Sign in at ${settings.baseUrl}/v1/auth/login.`)
    },
  }
}

async function byToken(request: FastifyRequest, devices: UserFinderDeps['devices']): Promise<User> {
  const token = findBearerToken(request.raw)
  if (token === undefined) throw unknownToken()
  if (isToken(token)) throw userRequired()
  const found = await devices.read(token)
  if (found === 'expired') {
    throw new Problem('token_expired', 'The access token has expired. Get the next one with the refresh token.')
  }
  if (found === undefined) throw unknownToken()
  return found
}

/** The problem of every API token, valid or not, on a route for users. */
function userRequired(): Problem {
  return new Problem(
    'missing_scope',
    'This is an API token of a machine, and this request needs a user: sign in, or send the access token of a tool.',
  )
}

function unknownToken(): Problem {
  return new Problem('invalid_token', 'This is not an access token of this service, or it was revoked. Sign in again.')
}
