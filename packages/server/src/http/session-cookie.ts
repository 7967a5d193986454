import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../settings/settings.js'
import { readCookie } from './browser-cookie.js'

/** A session lives no longer, whatever its cookie does. */
const MAX_AGE_SECONDS = 7 * 24 * 3600

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
      reply.header('set-cookie', `${name}=${value}; Max-Age=${MAX_AGE_SECONDS}; ${attributes}`)
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
