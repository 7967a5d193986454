import { Failure } from '../failure.js'
import type { AccountClock } from './account-clock.js'
import type { AccountService } from './account-service.js'
import type { DeviceAuthorization, Tokens } from './read-responses.js'

/** The state of the wait, for the user. */
export interface Waiting {
  /** On the monotonic clock. */
  readonly endsAt: number
  /** Why the last request failed; undefined if it succeeded. */
  readonly failure: string | undefined
}

export interface ApprovalDeps {
  readonly service: Pick<AccountService, 'exchange' | 'url'>
  readonly clock: AccountClock
  readonly signal: AbortSignal
  /** Called at the start, and after every request. */
  readonly changed: (waiting: Waiting) => void
}

/** RFC 8628 adds this to the interval. */
const SLOW_DOWN_MS = 5000

/** The pause doubles after each failed request, up to this limit. Milliseconds. */
const MAX_PAUSE = 60_000

const REASONS: Readonly<Record<string, string>> = {
  access_denied: 'the sign-in was denied. If that was not you, tell your administrator',
  expired_token: 'the sign-in was not approved in time: run omen login again',
  invalid_grant: 'the code is no longer valid: run omen login again',
}

/**
 * Waits until the user has approved the sign-in in a browser, and returns the tokens (RFC 8628, section 3.5). Polls at the
 * interval of the service, and more slowly after `slow_down` and after each failed request. Rejects with a `Failure` if the
 * sign-in was denied or not approved in time, and with the signal's reason if that is aborted.
 *
 * @example
 * const tokens = await waitForApproval(await service.begin(), { service, clock: CLOCK, signal, changed: () => {} })
 */
export async function waitForApproval(device: DeviceAuthorization, deps: ApprovalDeps): Promise<Tokens> {
  const { service, clock, signal, changed } = deps
  const endsAt = clock.monotonic() + device.lifetime
  let { interval } = device
  let pause = interval
  changed({ endsAt, failure: undefined })
  for (;;) {
    await clock.pause(Math.max(0, Math.min(pause, endsAt - clock.monotonic())), signal)
    if (clock.monotonic() >= endsAt) throw ended(service.url, 'expired_token')
    const response = await service.exchange(device.deviceCode, signal)
    if ('accessToken' in response) return response
    if ('failure' in response) {
      pause = Math.min(Math.max(2 * pause, response.pause ?? 0), Math.max(MAX_PAUSE, interval))
      changed({ endsAt, failure: response.failure })
      continue
    }
    if (response.error === 'slow_down') interval += SLOW_DOWN_MS
    else if (response.error !== 'authorization_pending') throw ended(service.url, response.error)
    pause = interval
    changed({ endsAt, failure: undefined })
  }
}

function ended({ host }: URL, error: string): Failure {
  const reason = Object.hasOwn(REASONS, error)
    ? REASONS[error]
    : `the sign-in was refused (${error}): run omen login again`
  return new Failure('Network', `${host}: ${reason}`)
}
