import { Failure } from '../failure.js'
import type { AccountClock } from './account-clock.js'
import type { AccountService } from './account-service.js'
import type { DeviceAuthorization, Tokens } from './read-answers.js'

/** What somebody who waits can be told. */
export interface Waiting {
  /** On the clock that no change touches. */
  readonly endsAt: number
  /** What keeps the service from being asked; undefined while all is well. */
  readonly trouble: string | undefined
}

export interface WaitingTools {
  readonly service: Pick<AccountService, 'exchange' | 'url'>
  readonly clock: AccountClock
  readonly signal: AbortSignal
  /** Told at the beginning, and whenever something changes. */
  readonly changed: (waiting: Waiting) => void
}

/** RFC 8628, section 3.5. */
const SLOW_DOWN = 5000

/** The longest pause after something went wrong, of pauses that double. */
const LONGEST_PAUSE = 60_000

const ENDS: Readonly<Record<string, string>> = {
  access_denied: 'it was denied. If that was not you, tell your administrator',
  expired_token: 'nobody approved it in time: run omen login again',
  invalid_grant: 'the code is not known there any more: run omen login again',
}

/**
 * Waits until somebody has approved the tool, and gives its tokens: asks at the pace that the service wants, slower when it says
 * so, and slower each time that it cannot be asked. Rejects with a `Failure` when it was denied or nobody approved it in time, and with
 * the reason of the signal when somebody leaves.
 *
 * @example
 * const tokens = await waitForApproval(await service.begin(), { service, clock: CLOCK, signal, changed: () => {} })
 */
export async function waitForApproval(device: DeviceAuthorization, tools: WaitingTools): Promise<Tokens> {
  const { service, clock, signal, changed } = tools
  const endsAt = clock.monotonic() + device.lasts
  let { interval } = device
  let pause = interval
  changed({ endsAt, trouble: undefined })
  for (;;) {
    await clock.pause(Math.max(0, Math.min(pause, endsAt - clock.monotonic())), signal)
    if (clock.monotonic() >= endsAt) throw ended(service.url, 'expired_token')
    const answer = await service.exchange(device.deviceCode, signal)
    if ('accessToken' in answer) return answer
    if ('trouble' in answer) {
      pause = Math.min(Math.max(2 * pause, answer.pause ?? 0), Math.max(LONGEST_PAUSE, interval))
      changed({ endsAt, trouble: answer.trouble })
      continue
    }
    if (answer.error === 'slow_down') interval += SLOW_DOWN
    else if (answer.error !== 'authorization_pending') throw ended(service.url, answer.error)
    pause = interval
    changed({ endsAt, trouble: undefined })
  }
}

function ended({ host }: URL, error: string): Failure {
  const reason = Object.hasOwn(ENDS, error) ? ENDS[error] : `it was refused (${error}): run omen login again`
  return new Failure('Network', `${host}: ${reason}`)
}
