import type { Caller, Return } from '../onboarding/onboarding.js'
import type { UserRole } from '../store/users.js'

/** Who makes a request, and with what: people know their browsers by it. */
export interface Visitor extends Caller {
  readonly agent: string
}

/** Somebody who is signed in. */
export interface Person {
  readonly kind: 'browser' | 'tool'
  /** Of the session, or of the tool's login. */
  readonly sessionId: string
  readonly userId: string
  readonly organizationId: string
  /** As the operator knows the organization. */
  readonly organization: string
  readonly email: string
  readonly name: string | undefined
  readonly role: UserRole
  readonly org: { readonly name: string; readonly domain: string }
}

/** What a login begins with. Everything comes from outside. */
export interface LoginRequest {
  /** An e-mail address, of the sign-in page or of whoever sends somebody here. */
  readonly email: string | undefined
  /** The issuer that sends somebody here (OpenID Connect Core, section 4). */
  readonly issuer: string | undefined
  readonly targetLinkUri: string | undefined
}

/** Where a login goes on: at the identity provider, or with the question for an address. */
export type LoginStep =
  | { readonly step: 'go'; readonly url: string }
  | { readonly step: 'ask'; readonly reason: 'nothing' | 'unknown_address' | 'several' }

/** What came of a login. */
export type LoginOutcome =
  | {
      readonly status: 'signed_in'
      /** The new cookie of the browser. */
      readonly cookie: string
      readonly target: string
      readonly email: string
    }
  /** `reason` is stable; it stands in the log and in metrics. */
  | { readonly status: 'refused'; readonly reason: string; readonly detail: string }

/** One of the places where somebody is signed in. */
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

/** Sign-in and sessions. Methods reject with a `Problem`. Cookies are opaque: whatever a browser sends may be given. */
export interface Sessions {
  /** `browser` is the cookie that binds the browser from here on. */
  begin(request: LoginRequest, browser: string): Promise<LoginStep>
  /**
   * A browser comes back from an identity provider; `cookie` is that of the session that it had before. Undefined when the
   * address is of no connection, or the sign-in is the test of one.
   */
  finish(back: Return, cookie: string | undefined, visitor: Visitor): Promise<LoginOutcome | undefined>
  /** Who it is, after asking the identity provider again where that is due. */
  read(cookie: string | undefined): Promise<Person | undefined>
  list(person: Person): Promise<readonly SessionRecord[]>
  /** Ends one of somebody's own sessions or tools. False when there is none such. */
  end(person: Person, id: string, caller: Caller): Promise<boolean>
  /** Ends the session of a cookie. Gives where to end it at the identity provider too. */
  logOut(cookie: string | undefined, caller: Caller): Promise<{ readonly providerUrl: string | undefined }>
  /** An identity provider ends sessions. Rejects with a `Problem` when its word does not count. */
  logOutByProvider(callbackId: string, token: string | undefined, caller: Caller): Promise<void>
  /** A ticket to the app's host, for the browser that has the other half of the binding. */
  beginHandOver(cookie: string | undefined, bindingHash: string): Promise<string | undefined>
  /** The cookie for the app's host. */
  finishHandOver(ticket: string, binding: string | undefined): Promise<string | undefined>
}
