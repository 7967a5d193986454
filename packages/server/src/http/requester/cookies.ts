import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../settings/settings.js'
import { isRandomString, randomString } from '../../signin/begin-authorization.js'

/** How long a sign-in may take. */
const SIGN_IN_SECONDS = 15 * 60

/** The longest lifetime of a session, whatever its cookie says. */
const SESSION_SECONDS = 7 * 24 * 3600

/** Binds a sign-in to the browser that starts it. It is not a session: it does not say who uses the browser. */
export interface BrowserCookie {
  read(request: FastifyRequest): string | undefined
  /** Sets the cookie. A browser that has it keeps its value: two tabs are one browser. */
  ensure(request: FastifyRequest, reply: FastifyReply): string
}

/**
 * The cookie that binds a sign-in to a browser.
 *
 * @example
 * const cookie = createBrowserCookie({ baseUrl: 'https://omen.example.com' })
 * cookie.ensure(request, reply) // Set-Cookie: __Host-omen_browser=…; HttpOnly; SameSite=Lax; Secure
 */
export function createBrowserCookie({ baseUrl }: Pick<Settings, 'baseUrl'>): BrowserCookie {
  const { name, attributes } = cookieOn(baseUrl, 'omen_browser')
  const read = (request: FastifyRequest) => readCookie(request.headers.cookie, name)
  return {
    read,
    ensure: (request, reply) => {
      const value = read(request) ?? randomString()
      reply.header('set-cookie', `${name}=${value}; Max-Age=${SIGN_IN_SECONDS}; ${attributes}`)
      return value
    },
  }
}

/** The session cookie, on the host of sign-in and on the host of the app. */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, role: 'base' | 'app', value: string): void
  clear(reply: FastifyReply): void
}

/**
 * The session cookie: an opaque value that scripts cannot read, and that browsers send to this service from pages of other sites
 * only when a user follows a link.
 *
 * @example
 * const cookie = createSessionCookie(settings)
 * cookie.set(reply, 'base', value) // Set-Cookie: __Host-omen_session=…; HttpOnly; SameSite=Lax; Secure
 */
export function createSessionCookie({ baseUrl, appUrl }: Pick<Settings, 'baseUrl' | 'appUrl'>): SessionCookie {
  const cookies = { base: cookieOn(baseUrl, 'omen_session'), app: cookieOn(appUrl, 'omen_session') }
  const distinct = cookies.base.name === cookies.app.name ? [cookies.base] : [cookies.base, cookies.app]
  return {
    read: ({ headers }) => {
      for (const { name } of distinct) {
        const value = readCookie(headers.cookie, name)
        if (value !== undefined) return value
      }
      return undefined
    },
    set: (reply, role, value) => {
      const { name, attributes } = cookies[role]
      reply.header('set-cookie', `${name}=${value}; Max-Age=${SESSION_SECONDS}; ${attributes}`)
    },
    clear: (reply) => {
      for (const { name, attributes } of distinct) reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`)
    },
  }
}

/** With HTTPS the name starts with `__Host-`, so that no other host can set the cookie. */
function cookieOn(url: string, name: string): { readonly name: string; readonly attributes: string } {
  const isSecure = url.startsWith('https:')
  return {
    name: isSecure ? `__Host-${name}` : name,
    attributes: `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  }
}

/** A cookie that is sent twice, or whose value this service never sets, is ignored. */
function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 && isRandomString(values[0]) ? values[0] : undefined
}
