import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { createRequestTally, type FinishedRequest } from './request-tally.js'

/** Connections of a database pool, as it counts them. */
export interface PoolState {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** What can be downloaded: community rules, rules of an organization, the tool. */
export type DownloadKind = 'rules' | 'private' | 'tool'

/** What the service counts. The text is in the format of Prometheus. */
export interface Metrics {
  begin(): void
  /** Counts a file, or the beginning of one, that is sent to somebody. */
  download(kind: DownloadKind): void
  finish(request: FinishedRequest): void
  /** A sign-in that is over: `ok`, or why it was refused. */
  signIn(outcome: string): void
  /** Shows the pool of a database from now on; `read` is called when somebody looks. */
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
  const tally = createRequestTally()
  const signIns = new Counter({
    name: 'omen_sign_ins_total',
    help: 'Sign-ins by outcome: ok, or why they were refused.',
    labelNames: ['outcome'],
    registers,
  })
  let inFlight = 0
  new Gauge({
    name: 'omen_http_requests_in_flight',
    help: 'Requests being answered.',
    registers,
    collect() {
      this.set(inFlight)
    },
  })
  const downloads = new Counter({
    name: 'omen_downloads_total',
    help: 'Downloads of releases that began, by kind: rules, private, tool.',
    labelNames: ['kind'],
    registers,
  })

  return {
    begin: () => {
      inFlight += 1
    },
    download: (kind) => downloads.inc({ kind }),
    finish: (request) => {
      inFlight -= 1
      tally.count(request)
    },
    signIn: (outcome) => signIns.inc({ outcome }),
    watchPool: (read) => watchPool(read, registers),
    contentType: registry.contentType,
    text: async () => `${tally.text()}\n${await registry.metrics()}`,
  }
}

function watchPool(read: () => PoolState, registers: Registry[]): void {
  new Gauge({
    name: 'omen_database_connections',
    help: 'Connections of the database pool: in use, idle, and requests that wait for one.',
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
