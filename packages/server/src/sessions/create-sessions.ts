import { logOutByProvider } from './back-channel.js'
import { beginLogin } from './begin-login.js'
import { endOwn, listOwn, logOut } from './end-session.js'
import { finishLogin } from './finish-login.js'
import { beginHandOver, finishHandOver } from './hand-over.js'
import type { SessionsParts } from './parts.js'
import { readSession } from './read-session.js'
import type { Sessions } from './sessions.js'

/**
 * Sign-in and sessions on a database that `prepareDatabase` has prepared.
 *
 * @example
 * const sessions = createSessions({ database, keys, signIn, clock: () => new Date(), urls: settings })
 * const person = await sessions.read(cookie)
 */
export function createSessions(parts: SessionsParts): Sessions {
  return {
    begin: (request, browser) => beginLogin(parts, request, browser),
    finish: (back, cookie, visitor) => finishLogin(parts, back, cookie, visitor),
    read: (cookie) => readSession(parts, cookie),
    list: (person) => listOwn(parts, person),
    end: (person, id, caller) => endOwn(parts, person, id, caller),
    logOut: (cookie, caller) => logOut(parts, cookie, caller),
    logOutByProvider: (callbackId, token, caller) => logOutByProvider(parts, callbackId, token, caller),
    beginHandOver: (cookie, bindingHash) => beginHandOver(parts, cookie, bindingHash),
    finishHandOver: (ticket, binding) => finishHandOver(parts, ticket, binding),
  }
}
