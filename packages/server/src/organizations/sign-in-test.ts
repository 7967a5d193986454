import { Problem } from '../problem.js'
import { admitEmail } from '../signin/admit-email.js'
import type { Identity } from '../signin/redeem-callback.js'
import { SignInFailure } from '../signin/sign-in-failure.js'

/** How long a test may take: enough to find a second factor, and the client secret is not kept for much longer. */
export const TEST_MINUTES = 15

/** How many browser tabs may run one test at the same time. */
export const MOST_TEST_TABS = 5

/** The request with which an identity provider sends a browser back. */
export interface CallbackRequest {
  /** The last segment of the path. */
  readonly callbackId: string
  readonly query: URLSearchParams
  /** The cookie that was set when the browser left. */
  readonly browser: string | undefined
}

/** The result of a test sign-in, for the page that the browser shows. */
export type TestOutcome =
  | { readonly status: 'passed'; readonly email: string }
  /** `reason` is a stable code for logs and audit records. */
  | { readonly status: 'failed'; readonly reason: string; readonly detail: string }

/** A test passes if the user signed in and the e-mail address belongs to one of the domains. */
export function testOutcome(result: Identity | SignInFailure, domains: readonly string[]): TestOutcome {
  try {
    if (result instanceof SignInFailure) throw result
    return { status: 'passed', email: admitEmail(result, domains) }
  } catch (error) {
    if (error instanceof SignInFailure) return { status: 'failed', reason: error.code, detail: error.message }
    throw error
  }
}

/** An unknown redirect URI is shown only by the identity provider, which then does not send the browser back. */
function redirectAdvice(redirectUri: string): string {
  return `If the identity provider shows an error about the redirect URI, enter exactly this redirect URI in the application: ${redirectUri}`
}

export function waitingForBrowser(redirectUri: string): string {
  return `A browser was sent to the identity provider and has not come back yet. ${redirectAdvice(redirectUri)}`
}

export function testTimedOut(redirectUri: string): string {
  return `No browser came back from the identity provider in time. ${redirectAdvice(redirectUri)}. Then start another test.`
}

export function testIsOver(next: string): Problem {
  return new Problem('not_found', `This test has ended, or a later test has replaced it. ${next}`)
}

export function noSignInWaiting(next: string): Problem {
  return new Problem('bad_request', `This sign-in has already ended, or it took too long. ${next}`)
}

/** Also the response for a user who was lured here by someone else's link: nothing happens in the user's name. */
export function wrongBrowser(next: string): Problem {
  return new Problem(
    'bad_request',
    `This sign-in was not started in this browser, or the browser did not keep its cookie. Allow cookies for this site. ${next}`,
  )
}
