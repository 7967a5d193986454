import { here, type Log } from '../../../console/log.js'
import { Failure } from '../../../failure.js'
import { explainNetworkError } from '../../../network/network-error.js'
import type { NotificationSettings } from '../../../settings/settings.js'
import { VERSION } from '../../../version.js'
import { SERVICES, type Service } from '../services/services.js'
import { type Address, readAddress } from './address.js'
import type { Post } from './post.js'
import { evaluateResponse, LONGEST_WAIT, type Outcome } from './response.js'

/** The dependencies of a delivery. */
export interface DeliveryDeps {
  readonly post: Post
  /** Waits; ends early if the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  readonly log: Pick<Log, 'debug'>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  /** Aborted when the user wants to quit: then one more short attempt is made. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of an attempt, in milliseconds. */
  readonly deadline?: number
  /** The time limit of an attempt after `signal` was aborted, in milliseconds. */
  readonly lastDeadline?: number
}

const HEADERS = { 'content-type': 'application/json', 'user-agent': `omen/${VERSION}` }

const MOST_ATTEMPTS = 5
const DEADLINE = 10_000
const LAST_DEADLINE = 2000

/** Waits of 1, 2, 4 and 8 seconds and five attempts of 10 seconds are about a minute in total. */
const FIRST_WAIT = 1000

/**
 * Posts a body to a webhook: up to five attempts in about a minute, with longer waits if the service asks for them (at most a minute
 * in total). Rejects with a `Failure` that names the service and its host, but not the rest of the address, which is a secret.
 */
export async function deliver(settings: NotificationSettings, body: string, deps: DeliveryDeps): Promise<void> {
  const address = readAddress(settings.webhook)
  const { host } = address
  let waited = 0
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(address, SERVICES[settings.type], body, deps)
    if (outcome.kind === 'delivered') {
      deps.log.debug(here(), 'notification delivered', { service: settings.type, host, attempts: attempt })
      return
    }
    const { reason } = outcome
    const isOver = attempt === MOST_ATTEMPTS || waited >= LONGEST_WAIT || deps.signal?.aborted === true
    if (outcome.kind === 'refused' || isOver) {
      const attempts = attempt === 1 ? '' : ` after ${attempt} attempts`
      throw new Failure('Network', `notification to ${settings.type} at ${host} failed${attempts}: ${reason}`)
    }
    const wait = Math.min(Math.max(outcome.wait ?? 0, backoff(attempt, deps.random())), LONGEST_WAIT - waited)
    deps.log.debug(here(), 'notification failed, will retry', { host, reason, wait: Math.ceil(wait) })
    await deps.sleep(wait, deps.signal)
    waited += wait
  }
}

async function attemptOnce(
  { url, headers, secrets }: Address,
  service: Service,
  body: string,
  deps: DeliveryDeps,
): Promise<Outcome> {
  const deadline = startDeadline(deps)
  try {
    const response = await deps.post({ url, body, headers: { ...HEADERS, ...headers }, signal: deadline.signal })
    return evaluateResponse(response, service, secrets, deps.now())
  } catch (error) {
    const { reason, isTemporary } = explainNetworkError(error)
    return { kind: isTemporary ? 'failed' : 'refused', reason }
  } finally {
    deadline.stop()
  }
}

/** Aborts an attempt after its time limit, which is shorter once the user wants to quit. */
function startDeadline({ signal, deadline = DEADLINE, lastDeadline = LAST_DEADLINE }: DeliveryDeps) {
  const ending = new AbortController()
  const end = () => ending.abort(Object.assign(new Error('the request timed out'), { name: 'TimeoutError' }))
  const timers = [setTimeout(end, deadline)]
  const shorten = () => void timers.push(setTimeout(end, lastDeadline))
  if (signal?.aborted) shorten()
  else signal?.addEventListener('abort', shorten)
  return {
    signal: ending.signal,
    stop() {
      signal?.removeEventListener('abort', shorten)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** Exponential backoff, less a random part of up to half, so that clients that failed together do not retry together. */
function backoff(attempt: number, random: number): number {
  return FIRST_WAIT * 2 ** (attempt - 1) * (1 - random / 2)
}
