/** When this tab was last redirected to sign-in. */
const KEY = 'omen.sent-to-sign-in'

/** A tab without a session that was redirected less than this ago would be redirected in a loop. */
const LOOP_MS = 15_000

/**
 * The URL for signing in and returning to a page of the app. When the sign-in host still has a session, it redirects back without
 * asking for anything.
 *
 * @example
 * signInUrl('/rules?q=kafka') // '/v1/auth/enter?to=%2Frules%3Fq%3Dkafka'
 */
export function signInUrl(to: string): string {
  return `/v1/auth/enter?${new URLSearchParams({ to })}`
}

/** Redirects to sign-in and back to this page. Returns false, without redirecting, if that just happened. */
export function redirectToSignIn({ now, storage }: { readonly now: number; readonly storage: Storage }): boolean {
  const last = Number(storage.getItem(KEY) ?? Number.NaN)
  if (now - last < LOOP_MS) return false
  storage.setItem(KEY, String(now))
  location.assign(signInUrl(`${location.pathname}${location.search}`))
  return true
}

/** The channel between tabs of the app, and the only message on it. */
const CHANNEL = 'omen.app'
const SIGNED_OUT = 'signed out'

/** Informs the other tabs that the user has signed out. */
export function announceSignedOut(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(SIGNED_OUT)
  channel.close()
}

/** Calls `callback` when another tab signs out. Returns the function that stops listening. */
export function onSignedOut(callback: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (data === SIGNED_OUT) callback()
  }
  return () => channel.close()
}
