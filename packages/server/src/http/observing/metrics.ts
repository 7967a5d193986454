import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ProblemCode } from '../../problem.js'

/** Seconds, from a response out of memory to the slowest identity provider. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export interface FinishedRequest {
  readonly method: string
  /** The pattern of the route, never the address itself: the number of addresses is unbounded. */
  readonly route: string
  readonly status: number
  readonly problem: ProblemCode | undefined
  readonly seconds: number
}

/** The connections of a database pool. */
export interface PoolState {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** What was downloaded: community rules, the rules of an organization, or the tool. */
export type DownloadKind = 'rules' | 'private' | 'tool'

/** The metrics of the service, in the text format of Prometheus. */
export interface Metrics {
  begin(): void
  /** Counts the start of a download. */
  download(kind: DownloadKind): void
  finish(request: FinishedRequest): void
  /** Counts a finished sign-in: `ok`, or the reason why it failed. */
  signIn(outcome: string): void
  /** Adds the pool of a database; `read` is called whenever the metrics are read. */
  watchPool(read: () => PoolState): void
  readonly contentType: string
  text(): Promise<string>
}

/**
 * The metrics of one server. `process: true` adds those of Node.js itself (memory, event loop, garbage collection).
 *
 * @example
 * const metrics = createMetrics({ process: true })
 * metrics.watchPool(() => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }))
 */
export function createMetrics({ process = false }: { readonly process?: boolean } = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (process) collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'omen_http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  })
  const outcomes = new Counter({
    name: 'omen_http_outcomes_total',
    help: 'Requests by outcome: ok, or the code of the problem.',
    labelNames: ['route', 'outcome'],
    registers,
  })
  const signIns = new Counter({
    name: 'omen_sign_ins_total',
    help: 'Sign-ins by outcome: ok, or the reason why they failed.',
    labelNames: ['outcome'],
    registers,
  })
  let inFlight = 0
  new Gauge({
    name: 'omen_http_requests_in_flight',
    help: 'Requests without a complete response.',
    registers,
    collect() {
      this.set(inFlight)
    },
  })
  const downloads = new Counter({
    name: 'omen_downloads_total',
    help: 'Started downloads of releases by kind: rules, private, tool.',
    labelNames: ['kind'],
    registers,
  })

  return {
    begin: () => {
      inFlight += 1
    },
    download: (kind) => downloads.inc({ kind }),
    finish: ({ method, route, status, problem, seconds }) => {
      inFlight -= 1
      durations.observe({ method: KNOWN_METHODS.has(method) ? method : 'other', route, status }, seconds)
      outcomes.inc({ route, outcome: problem ?? 'ok' })
    },
    signIn: (outcome) => signIns.inc({ outcome }),
    watchPool: (read) => watchPool(read, registers),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

function watchPool(read: () => PoolState, registers: Registry[]): void {
  new Gauge({
    name: 'omen_database_connections',
    help: 'Connections of the database pool: used and idle, and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = read()
      this.set({ state: 'used' }, total - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
}
