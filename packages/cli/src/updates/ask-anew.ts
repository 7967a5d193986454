import type { Session } from '../session.js'
import { maskPassword } from '../settings/mask-url.js'
import { readUpdateState, writeUpdateState } from './update-state.js'

/**
 * Lets the next scan ask the service again: what it offers depends on who asks.
 *
 * @example
 * askAnew(session) // after somebody has signed in
 */
export function askAnew({ loaded }: Pick<Session, 'loaded'>): void {
  const { folder, settings } = loaded
  if (settings.serviceUrl === undefined) return
  const state = readUpdateState(folder, maskPassword(settings.serviceUrl))
  if (state.checked !== undefined) writeUpdateState(folder, { ...state, doubtful: true, retryAt: 0 })
}
