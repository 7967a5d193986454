import type { ProblemCode } from '../problem.js'

/** From an answer out of memory to the slowest identity provider, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const DURATION = 'omen_http_request_duration_seconds'
const OUTCOMES = 'omen_http_outcomes_total'

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

export interface FinishedRequest {
  readonly method: string
  /** The pattern of its route, never the address itself: addresses are without number. */
  readonly route: string
  readonly status: number
  readonly problem: ProblemCode | undefined
  readonly seconds: number
}

/** Counts requests that are over. The text is in the format of Prometheus. */
export interface RequestTally {
  count(request: FinishedRequest): void
  text(): string
}

/** Requests with the same labels. */
interface Durations {
  readonly labels: string
  /** By the first bucket that they fit in; the last place is for those that fit in none. */
  readonly counts: number[]
  sum: number
}

interface Outcomes {
  readonly labels: string
  count: number
}

/**
 * The histogram and the counter of requests. By hand: prom-client checks, sorts and joins the labels of every observation, which
 * takes longer than to log the request. Here labels are written once, and a request adds to three numbers.
 *
 * @example
 * const tally = createRequestTally()
 * tally.count({ method: 'GET', route: '/v1/me', status: 200, problem: undefined, seconds: 0.002 })
 * tally.text() // # HELP omen_http_request_duration_seconds …
 */
export function createRequestTally(): RequestTally {
  const durations = new Map<string, Durations>()
  const outcomes = new Map<string, Outcomes>()
  return {
    count({ method, route, status, problem, seconds }) {
      const known = KNOWN_METHODS.has(method) ? method : 'other'
      observe(durationsOf(durations, known, route, status), seconds)
      outcomesOf(outcomes, route, problem ?? 'ok').count += 1
    },
    text: () =>
      [
        `# HELP ${DURATION} Time from a request to the end of its response.`,
        `# TYPE ${DURATION} histogram`,
        ...[...durations.values()].flatMap(linesOf),
        '',
        `# HELP ${OUTCOMES} Requests by outcome: ok, or the code of the problem.`,
        `# TYPE ${OUTCOMES} counter`,
        ...[...outcomes.values()].map(({ labels, count }) => `${OUTCOMES}{${labels}} ${count}`),
        '',
      ].join('\n'),
  }
}

function durationsOf(all: Map<string, Durations>, method: string, route: string, status: number): Durations {
  const key = `${method} ${status} ${route}`
  const known = all.get(key)
  if (known !== undefined) return known
  const labels = `method="${method}",route="${escapeLabel(route)}",status="${status}"`
  const durations = { labels, counts: new Array<number>(BUCKETS.length + 1).fill(0), sum: 0 }
  all.set(key, durations)
  return durations
}

function outcomesOf(all: Map<string, Outcomes>, route: string, outcome: string): Outcomes {
  const key = `${outcome} ${route}`
  const known = all.get(key)
  if (known !== undefined) return known
  const outcomes = { labels: `route="${escapeLabel(route)}",outcome="${outcome}"`, count: 0 }
  all.set(key, outcomes)
  return outcomes
}

function observe(durations: Durations, seconds: number): void {
  let place = 0
  while (place < BUCKETS.length && seconds > BUCKETS[place]!) place++
  durations.counts[place]! += 1
  durations.sum += seconds
}

/** Buckets are cumulative: each counts those of the ones before it, too. */
function linesOf({ labels, counts, sum }: Durations): string[] {
  let total = 0
  const buckets = counts.map((count, place) => {
    total += count
    return `${DURATION}_bucket{le="${BUCKETS[place] ?? '+Inf'}",${labels}} ${total}`
  })
  return [...buckets, `${DURATION}_sum{${labels}} ${sum}`, `${DURATION}_count{${labels}} ${total}`]
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
