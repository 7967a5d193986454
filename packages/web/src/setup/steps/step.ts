import type { Setup } from '@omen/server/api'
import type { RemedyAction } from '../../api/remedies.js'
import type { Service } from '../client.js'
import { type Change, loginUri, type Progress } from '../progress/progress.js'

/** The props of every step. */
export interface StepProps {
  readonly progress: Progress
  readonly change: (change: Change) => void
  readonly service: Service
  readonly setup: Setup
}

/** What the buttons next to a failure do. None of them discards input. */
const CHANGES: Readonly<Record<Exclude<RemedyAction, 'retry'>, (progress: Progress, setup: Setup) => Change>> = {
  'enter-code': () => ({ type: 'navigated', to: 'code' }),
  'repeat-connection': () => ({ type: 'navigated', to: 'provider' }),
  // The connection is complete, but this tab did not receive the response that said so.
  finish: ({ transaction }, { base_url, app_url }) => ({
    type: 'completed',
    completion: { login_url: loginUri(transaction?.signInUri ?? '', base_url), app_url },
  }),
}

/**
 * Runs the action of a failure's button. The form that failed handles `retry` itself.
 *
 * @example
 * applyRemedy('repeat-connection', props)
 */
export function applyRemedy(action: RemedyAction, { progress, change, setup }: StepProps): void {
  if (action !== 'retry') change(CHANGES[action](progress, setup))
}
