import { here, type Log } from '../../../console/log.js'
import { Failure } from '../../../failure.js'
import { explainNetworkError } from '../../../network/network-error.js'
import type { NotificationSettings } from '../../../settings/settings.js'
import { VERSION } from '../../../version.js'
import { SERVICES, type Service } from '../services/services.js'
import { type Address, readAddress } from './address.js'
import type { Post } from './post.js'
import { judgeAnswer, LONGEST_WAIT, type Outcome } from './response.js'

/** What a delivery needs of the world. */
export interface DeliveryTools {
  readonly post: Post
  /** Waits; ends early when the signal does. */
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  readonly log: Pick<Log, 'debug'>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  /** Somebody wants to leave: one more try is made, and a short one. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for a try. */
  readonly deadline?: number
  /** Milliseconds for a try when somebody wants to leave. */
  readonly lastDeadline?: number
}

const HEADERS = { 'content-type': 'application/json', 'user-agent': `omen/${VERSION}` }

const TRIES = 5
const DEADLINE = 10_000
const LAST_DEADLINE = 2000

/** Waits of 1, 2, 4 and 8 seconds and five tries of 10 seconds are about a minute in all. */
const FIRST_WAIT = 1000

/**
 * Posts a body to a webhook until it is taken: up to five tries in about a minute, longer waits where the service asks for
 * them (in sum a minute at most). Rejects with a `Failure` that names the service and its host, but nothing else of the
 * address: the rest of it is a secret.
 */
export async function deliver(settings: NotificationSettings, body: string, tools: DeliveryTools): Promise<void> {
  const address = readAddress(settings.webhook)
  const { host } = address
  let waited = 0
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(address, SERVICES[settings.type], body, tools)
    if (outcome.kind === 'delivered') {
      tools.log.debug(here(), 'notification delivered', { service: settings.type, host, tries: attempt })
      return
    }
    const { reason } = outcome
    const isOver = attempt === TRIES || waited >= LONGEST_WAIT || tools.signal?.aborted === true
    if (outcome.kind === 'refused' || isOver) {
      const tries = attempt === 1 ? '' : ` after ${attempt} tries`
      throw new Failure('Network', `notification to ${settings.type} at ${host} failed${tries}: ${reason}`)
    }
    const asked = outcome.wait ?? 0
    const wait = Math.min(Math.max(asked, backoff(attempt, tools.random())), LONGEST_WAIT - waited)
    tools.log.debug(here(), 'notification failed, next try to come', { host, reason, wait: Math.ceil(wait) })
    await tools.sleep(wait, tools.signal)
    waited += wait
  }
}

async function tryOnce(
  { url, headers, secrets }: Address,
  service: Service,
  body: string,
  tools: DeliveryTools,
): Promise<Outcome> {
  const deadline = startDeadline(tools)
  try {
    const answer = await tools.post({ url, body, headers: { ...HEADERS, ...headers }, signal: deadline.signal })
    return judgeAnswer(answer, service, secrets, tools.now())
  } catch (error) {
    const { reason, isTemporary } = explainNetworkError(error)
    return { kind: isTemporary ? 'failed' : 'refused', reason }
  } finally {
    deadline.stop()
  }
}

/** Ends a try after its time, which is cut short when somebody wants to leave. */
function startDeadline({ signal, deadline = DEADLINE, lastDeadline = LAST_DEADLINE }: DeliveryTools) {
  const ending = new AbortController()
  const end = () => ending.abort(Object.assign(new Error('the time is over'), { name: 'TimeoutError' }))
  const timers = [setTimeout(end, deadline)]
  const leave = () => void timers.push(setTimeout(end, lastDeadline))
  if (signal?.aborted) leave()
  else signal?.addEventListener('abort', leave)
  return {
    signal: ending.signal,
    stop() {
      signal?.removeEventListener('abort', leave)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** Twice as long each time, less up to half of it: many tools that fail together do not come back together. */
function backoff(attempt: number, random: number): number {
  return FIRST_WAIT * 2 ** (attempt - 1) * (1 - random / 2)
}
