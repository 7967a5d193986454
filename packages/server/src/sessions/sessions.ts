import type { Requester } from '../audit/audit.js'
import type { Clock } from '../clock.js'
import type { Keys } from '../keys/keys.js'
import type { CallbackRequest } from '../organizations/sign-in-test.js'
import type { Urls } from '../organizations/urls.js'
import type { SignIn } from '../signin/create-sign-in.js'
import type { Database } from '../store/database.js'
import type { UserRole } from '../store/organizations/users.js'
import { beginLogin } from './begin-login.js'
import { endOwn, listOwn, logOut, logOutByProvider } from './end-session.js'
import { finishLogin } from './finish-login.js'
import { beginHandOver, finishHandOver } from './hand-over.js'
import { readSession } from './read-session.js'

export interface SessionsDeps {
  readonly database: Database
  readonly keys: Keys
  readonly signIn: SignIn
  readonly clock: Clock
  readonly urls: Urls
}

/** A signed-in user. */
export interface User {
  readonly kind: 'browser' | 'tool'
  /** The id of the session, or of the tool's login. */
  readonly sessionId: string
  readonly userId: string
  readonly organizationId: string
  /** The name that the operator gave the organization. */
  readonly organization: string
  readonly email: string
  readonly name: string | undefined
  readonly role: UserRole
  /** The name that its users see, and the domain of the user's address. */
  readonly org: { readonly name: string; readonly domain: string }
}

/** The start of a login. All values come from outside. */
export interface LoginRequest {
  /** An e-mail address, from the sign-in page or from a link. */
  readonly email: string | undefined
  /** The issuer that starts the login (OpenID Connect Core 1.0, section 4). */
  readonly issuer: string | undefined
  readonly targetLinkUri: string | undefined
}

/** The next step of a login: the identity provider, or a form that asks for an address. */
export type LoginStep =
  | { readonly step: 'go'; readonly url: string }
  | { readonly step: 'ask'; readonly reason: 'nothing' | 'unknown_address' | 'several' }

export type LoginOutcome =
  | {
      readonly status: 'signed_in'
      /** The session cookie. */
      readonly cookie: string
      readonly target: string
      readonly email: string
    }
  /** `reason` is a stable code for logs and metrics. */
  | { readonly status: 'failed'; readonly reason: string; readonly detail: string }

/** A browser or tool in which a user is signed in. */
export interface SessionRecord {
  readonly id: string
  readonly kind: 'browser' | 'tool'
  readonly current: boolean
  readonly address: string
  readonly agent: string
  readonly createdAt: Date
  readonly seenAt: Date
  readonly expiresAt: Date
}

/**
 * Sign-in and sessions (docs/protocol.md, sections 2 and 3). Methods reject with a `Problem`. Cookies and tickets may be any
 * string that a browser sends.
 */
export interface Sessions {
  /** `browser` is the cookie that binds the login to the browser. */
  begin(request: LoginRequest, browser: string): Promise<LoginStep>
  /**
   * Handles a browser that comes back from an identity provider. `cookie` is the session cookie that it had before. Undefined
   * if the callback address belongs to no connection, or the sign-in is the test of a connection.
   */
  finish(callback: CallbackRequest, cookie: string | undefined, requester: Requester): Promise<LoginOutcome | undefined>
  /** The user of a session cookie, after checking with the identity provider when that is due. */
  read(cookie: string | undefined): Promise<User | undefined>
  list(user: User): Promise<readonly SessionRecord[]>
  /** Ends one of the user's own sessions or tools. False if there is no such session. */
  end(user: User, id: string, requester: Requester): Promise<boolean>
  /** Ends the session of a cookie. Gives the URL that ends it at the identity provider, too. */
  logOut(cookie: string | undefined, requester: Requester): Promise<{ readonly providerUrl: string | undefined }>
  /** Ends sessions at the request of an identity provider. Rejects with a `Problem` if the logout token is not valid. */
  logOutByProvider(callbackId: string, token: string | undefined, requester: Requester): Promise<void>
  /** Makes a ticket for the host of the app, for the browser that has the secret with this hash. */
  beginHandOver(cookie: string | undefined, bindingHash: string): Promise<string | undefined>
  /** Exchanges a ticket for a session cookie of the app's host. */
  finishHandOver(ticket: string, binding: string | undefined): Promise<string | undefined>
}

/**
 * Sign-in and sessions on a database that `prepareDatabase` has prepared.
 *
 * @example
 * const sessions = createSessions({ database, keys, signIn, clock: () => new Date(), urls: settings })
 * const user = await sessions.read(cookie)
 */
export function createSessions(deps: SessionsDeps): Sessions {
  return {
    begin: (request, browser) => beginLogin(deps, request, browser),
    finish: (callback, cookie, requester) => finishLogin(deps, callback, cookie, requester),
    read: (cookie) => readSession(deps, cookie),
    list: (user) => listOwn(deps, user),
    end: (user, id, requester) => endOwn(deps, user, id, requester),
    logOut: (cookie, requester) => logOut(deps, cookie, requester),
    logOutByProvider: (callbackId, token, requester) => logOutByProvider(deps, callbackId, token, requester),
    beginHandOver: (cookie, bindingHash) => beginHandOver(deps, cookie, bindingHash),
    finishHandOver: (ticket, binding) => finishHandOver(deps, ticket, binding),
  }
}
