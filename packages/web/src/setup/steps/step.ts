import type { Offer } from '../../api/remedies.js'
import type { Service } from '../client.js'
import type { SetupFile } from '../messages.js'
import { type Change, loginUri, type Progress } from '../progress/progress.js'

/** What every step is given. */
export interface StepProps {
  readonly progress: Progress
  readonly change: (change: Change) => void
  readonly service: Service
  readonly setup: SetupFile
}

/** Where the ways out of a failure lead. None of them forgets what was typed. */
const CHANGES: Readonly<Record<Exclude<Offer, 'retry'>, (progress: Progress, setup: SetupFile) => Change>> = {
  'enter-code': () => ({ type: 'went', to: 'code' }),
  'repeat-connection': () => ({ type: 'went', to: 'provider' }),
  // The connection was completed, and the answer that said so was lost or went to somebody else.
  finish: ({ transaction }, { base_url, app_url }) => ({
    type: 'completed',
    completion: { login_url: loginUri(transaction?.signInUri ?? '', base_url), app_url },
  }),
}

/**
 * Follows what a failure offers. Trying again is for the form that failed.
 *
 * @example
 * takeOffer('repeat-connection', props)
 */
export function takeOffer(offer: Offer, { progress, change, setup }: StepProps): void {
  if (offer !== 'retry') change(CHANGES[offer](progress, setup))
}
