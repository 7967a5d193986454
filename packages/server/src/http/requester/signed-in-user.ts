import type { FastifyRequest } from 'fastify'
import type { Devices } from '../../devices/devices.js'
import { Problem } from '../../problem.js'
import { isToken } from '../../releases/token.js'
import type { Person, Sessions } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { readBearer } from './authorization.js'
import { createSessionCookie } from './cookies.js'

/** Finds out who makes a request. */
export interface FindPerson {
  /** By the cookie alone: for pages. */
  byCookie(request: FastifyRequest): Promise<Person | undefined>
  /** By a bearer token, or else by the cookie. Rejects with a `Problem` when it is nobody. */
  orRefuse(request: FastifyRequest): Promise<Person>
}

export interface PersonParts {
  readonly sessions: Pick<Sessions, 'read'>
  readonly devices: Pick<Devices, 'read'>
  readonly settings: Pick<Settings, 'baseUrl' | 'appUrl'>
}

/**
 * Makes the way from a request to the person behind it.
 *
 * @example
 * const people = createFindPerson({ sessions, devices, settings })
 * const { email } = await people.orRefuse(request)
 */
export function createFindPerson({ sessions, devices, settings }: PersonParts): FindPerson {
  const cookie = createSessionCookie(settings)
  const byCookie = (request: FastifyRequest) => sessions.read(cookie.read(request))
  return {
    byCookie,
    orRefuse: async (request) => {
      if (request.headers.authorization !== undefined) return byToken(request, devices)
      const person = await byCookie(request)
      if (person) return person
      throw new Problem('missing_session', `Nobody is signed in here. Sign in: ${settings.baseUrl}/v1/auth/login.`)
    },
  }
}

/** Whoever sends a token means it: a cookie does not make up for a bad one. */
async function byToken(request: FastifyRequest, devices: PersonParts['devices']): Promise<Person> {
  const token = readToken(request)
  if (isToken(token)) throw needsPerson()
  const found = await devices.read(token)
  if (found === 'expired') {
    throw new Problem('token_expired', 'The access token has expired. Get the next one with the refresh token.')
  }
  if (found === undefined) throw notOurs()
  return found
}

function readToken(request: FastifyRequest): string {
  try {
    return readBearer(request.raw)
  } catch {
    throw notOurs()
  }
}

/** Said of every token of that shape, whether it is good or not. */
export function needsPerson(): Problem {
  return new Problem(
    'missing_scope',
    'This is an API token. It stands for a machine, and this call needs a person: sign in, or send the access token of a tool.',
  )
}

function notOurs(): Problem {
  return new Problem('invalid_token', 'This is no access token of this service, or it was revoked. Sign in again.')
}
