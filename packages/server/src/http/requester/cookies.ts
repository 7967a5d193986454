import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../settings/settings.js'
import { isRandomText, randomText } from '../../signin/begin-authorization.js'

/** As long as a sign-in may take. */
const SIGN_IN_SECONDS = 15 * 60

/** Binds what a browser begins to that browser. It is no session: it says nothing about who sits there. */
export interface BrowserCookie {
  read(request: FastifyRequest): string | undefined
  /** Gives the browser its cookie, or lets it keep the one that it has: two tabs are one browser. */
  ensure(request: FastifyRequest, reply: FastifyReply): string
}

/**
 * The cookie that binds a sign-in to a browser. Over HTTPS its name begins with `__Host-`, so that no other host can set it.
 *
 * @example
 * const cookie = createBrowserCookie({ baseUrl: 'https://omen.example.com' })
 * cookie.ensure(request, reply) // Set-Cookie: __Host-omen_browser=…; HttpOnly; Secure; SameSite=Lax
 */
export function createBrowserCookie({ baseUrl }: Pick<Settings, 'baseUrl'>): BrowserCookie {
  const isSecure = baseUrl.startsWith('https:')
  const name = isSecure ? '__Host-omen_browser' : 'omen_browser'
  const attributes = `Path=/; Max-Age=${SIGN_IN_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const read = (request: FastifyRequest) => readCookie(request.headers.cookie, name)
  return {
    read,
    ensure: (request, reply) => {
      const value = read(request) ?? randomText()
      reply.header('set-cookie', `${name}=${value}; ${attributes}`)
      return value
    },
  }
}

/** A cookie that is there twice, or does not look like one of ours, is none. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 && isRandomText(values[0]) ? values[0] : undefined
}

/** A session lives no longer, whatever its cookie does. */
const SESSION_SECONDS = 7 * 24 * 3600

/** The cookie of a session, on the host of sign-in and on that of the app. */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, role: 'base' | 'app', value: string): void
  clear(reply: FastifyReply): void
}

/**
 * The cookie of a session: opaque, out of reach of scripts, not sent along by other sites except when somebody follows a link.
 * Over HTTPS its name begins with `__Host-`, so that no other host can set it.
 *
 * @example
 * const cookie = createSessionCookie(settings)
 * cookie.set(reply, 'base', value) // Set-Cookie: __Host-omen_session=…; HttpOnly; SameSite=Lax; Secure
 */
export function createSessionCookie({ baseUrl, appUrl }: Pick<Settings, 'baseUrl' | 'appUrl'>): SessionCookie {
  const kinds = { base: kindOf(baseUrl), app: kindOf(appUrl) }
  const different = kinds.base.name === kinds.app.name ? [kinds.base] : [kinds.base, kinds.app]
  return {
    read: ({ headers }) => {
      for (const { name } of different) {
        const value = readCookie(headers.cookie, name)
        if (value !== undefined) return value
      }
      return undefined
    },
    set: (reply, role, value) => {
      const { name, attributes } = kinds[role]
      reply.header('set-cookie', `${name}=${value}; Max-Age=${SESSION_SECONDS}; ${attributes}`)
    },
    clear: (reply) => {
      for (const { name, attributes } of different) reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`)
    },
  }
}

function kindOf(url: string): { readonly name: string; readonly attributes: string } {
  const isSecure = url.startsWith('https:')
  return {
    name: isSecure ? '__Host-omen_session' : 'omen_session',
    attributes: `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  }
}
