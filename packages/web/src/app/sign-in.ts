/** When this tab was last sent to sign in. */
const KEY = 'omen.sent-to-sign-in'

/** Who comes back within this time and is still nobody would be sent round in circles. */
const CIRCLE_MS = 15_000

/**
 * Where to sign in, with the way back to a page of the app. The host of the app knows whether the host of sign-in still has a
 * session, and asks for nothing then.
 *
 * @example
 * signInAddress('/rules?q=kafka') // '/v1/auth/enter?to=%2Frules%3Fq%3Dkafka'
 */
export function signInAddress(to: string): string {
  return `/v1/auth/enter?${new URLSearchParams({ to })}`
}

/** Leads to sign-in and back to this page; says no when that was tried a moment ago, so that people can decide. */
export function goSignIn({ now, storage }: { readonly now: number; readonly storage: Storage }): boolean {
  const last = Number(storage.getItem(KEY) ?? Number.NaN)
  if (now - last < CIRCLE_MS) return false
  storage.setItem(KEY, String(now))
  location.assign(signInAddress(`${location.pathname}${location.search}`))
  return true
}

/** What tabs of the app tell each other. */
const CHANNEL = 'omen.app'
const SIGNED_OUT = 'signed out'

/** Tells the other tabs that nobody is signed in any more. */
export function tellSignedOut(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(SIGNED_OUT)
  channel.close()
}

/** Calls when another tab has signed out. Gives what ends it. */
export function onSignedOut(tell: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (data === SIGNED_OUT) tell()
  }
  return () => channel.close()
}
