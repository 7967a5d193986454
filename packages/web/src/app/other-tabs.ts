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
