import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../settings/settings.js'
import { isRandomText, randomText } from '../signin/begin-authorization.js'

/** As long as a sign-in may take. */
const MAX_AGE_SECONDS = 15 * 60

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
  const attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
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
