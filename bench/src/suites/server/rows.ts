import type { Options } from '../../harness/options.js'
import { countFlag } from '../../harness/options.js'
import type { Row } from '../../harness/suite.js'
import { atLeast, atMost, type Goal, type Verdict } from '../../harness/verdict.js'
import { bareRequests } from './bare.js'
import { AUDIT_RECORDS, ORGANIZATIONS } from './bulk.js'
import { type Contestant, duel, type LoadFigure, ratioOf } from './duel.js'
import { checkEndpoint, ENDPOINTS, type Endpoint } from './endpoints.js'
import type { Job } from './load.js'
import { idleMemory } from './resident-memory.js'
import { connect, providerJob, signInJob } from './sign-in.js'
import type { RunningService, ServerStage } from './stage.js'

export const SERVER_FLAGS = {
  seconds: countFlag(1, 'how long each round lasts'),
  connections: countFlag(20, 'connections at the same time'),
  runs: countFlag(31, 'turns of both contestants, of which the median counts'),
  rate: countFlag(200, 'requests a second, of rows with a fixed rate'),
}

export interface ServerBench {
  readonly stage: ServerStage
  readonly options: Options<typeof SERVER_FLAGS>
}

/** A line of the table. */
export interface ServerResult {
  readonly row: string
  readonly work: string
  readonly subject: LoadFigure | null
  readonly opponent: LoadFigure | null
  /** The ratio of the rates, unless the rate is fixed. */
  readonly rate?: Verdict
  /** The 99th percentile, or the memory. */
  readonly other: Verdict
}

type ServerRow = Row<ServerBench, ServerResult>

/** A person does not notice 25 ms, and an onboarding has far fewer than 200 requests a second. */
const P99_AT_FIXED_RATE: Goal = { kind: 'under', value: 25, unit: 'ms' }

const MEMORY: Goal = { kind: 'under', value: 150, unit: 'MiB' }

/** The goals of rows that are measured at the highest rate, as ratios to the opponent. */
const AT_FULL_LOAD = {
  bare: { rate: atLeast(0.7), p99: atMost(2) },
  provider: { rate: atLeast(0.5), p99: atMost(3) },
  empty: { rate: atLeast(0.8), p99: atMost(1.2) },
}

function compared(
  opponent: keyof typeof AT_FULL_LOAD,
  row: string,
  work: string,
  figures: readonly [LoadFigure, LoadFigure],
): ServerResult {
  const goals = AT_FULL_LOAD[opponent]
  return {
    row,
    work,
    subject: figures[0],
    opponent: figures[1],
    rate: { measured: ratioOf(figures, 'rate'), goal: goals.rate },
    other: { measured: ratioOf(figures, 'p99'), goal: goals.p99 },
  }
}

type Target = Pick<Job, 'url' | 'requests' | 'status' | 'rate'>

const underLoad = ({ load }: ServerStage, name: string, target: Target): Contestant => ({
  name,
  round: (pace) => load.run({ ...target, ...pace }),
})

async function targetOn({ service, customers }: RunningService, endpoint: Endpoint): Promise<Target> {
  for (const customer of customers) await checkEndpoint(service.url, endpoint, customer)
  const requests = customers.map((customer) => endpoint.request(customer))
  return { url: service.url, requests, status: endpoint.status }
}

const endpointRow = (endpoint: Endpoint): ServerRow => ({
  name: endpoint.name,
  about: endpoint.about,
  async *run({ stage, options }) {
    const rate = endpoint.isEveryRequest ? undefined : options.rate
    const omen = { ...(await targetOn(await stage.empty(), endpoint)), ...(rate && { rate }) }
    const { url } = await stage.bare()
    const bare = { ...omen, url, requests: bareRequests(omen.requests), status: 200 }
    const figures = await duel([underLoad(stage, 'omen', omen), underLoad(stage, 'bare', bare)], options)
    if (rate === undefined) yield compared('bare', endpoint.name, endpoint.about, figures)
    else {
      const [subject, opponent] = figures
      const other = { measured: subject.p99, goal: P99_AT_FIXED_RATE }
      yield { row: endpoint.name, work: `${endpoint.about}, ${rate} req/s`, subject, opponent, other }
    }
  },
})

const signInRow: ServerRow = {
  name: 'sign-in',
  about: 'complete sign-ins: login, provider, callback, session; against the provider alone',
  async *run({ stage, options }) {
    const { service } = await stage.empty()
    const organization = await connect(service, stage.provider, { name: 'Signers', refreshes: true })
    const job = signInJob(organization)
    const alone = await providerJob(organization, stage.provider)
    const browsers = (name: string, what: typeof job): Contestant => ({
      name,
      round: ({ connections, seconds }) => stage.signInLoad.run({ ...what, browsers: connections, seconds }),
    })
    const figures = await duel([browsers('omen', job), browsers('provider', alone)], options)
    yield compared('provider', 'sign-in', signInRow.about, figures)
  },
}

const scaleRow: ServerRow = {
  name: 'scale',
  about: `each endpoint with ${ORGANIZATIONS} organizations and ${AUDIT_RECORDS} audit records, against none`,
  async *run({ stage, options }) {
    for (const endpoint of ENDPOINTS) {
      const full = underLoad(stage, 'full', await targetOn(await stage.full(), endpoint))
      const empty = underLoad(stage, 'empty', await targetOn(await stage.empty(), endpoint))
      yield compared('empty', 'scale', `${endpoint.name}, full`, await duel([full, empty], options))
    }
  },
}

const memoryRow: ServerRow = {
  name: 'memory',
  about: 'idle: after the start, and after load and a pause, on PostgreSQL and embedded',
  async *run(bench) {
    yield* memoryOf('on PostgreSQL', bench, { databaseUrl: await bench.stage.postgres.createDatabase('memory') })
    yield* memoryOf('embedded', bench, {})
  },
}

async function* memoryOf(
  where: string,
  { stage, options: { connections, seconds, runs } }: ServerBench,
  database: { readonly databaseUrl?: string },
): AsyncGenerator<ServerResult> {
  const folder = `memory ${where}`.replaceAll(' ', '-')
  const result = (work: string, bytes: number): ServerResult => ({
    row: 'memory',
    work: `${where}, ${work}`,
    subject: null,
    opponent: null,
    other: { measured: bytes / 2 ** 20, goal: MEMORY },
  })
  const first = await stage.begin(folder, database)
  yield result('after the first start, which makes the database', await idleMemory(first.pid))
  await first.stop()
  const service = await stage.begin(folder, database)
  yield result('after another start', await idleMemory(service.pid))
  const running = await stage.takeOn(service)
  for (const endpoint of ENDPOINTS) {
    const target = await targetOn(running, endpoint)
    await stage.load.run({ ...target, connections, seconds: seconds * runs })
  }
  yield result('after load on every endpoint', await idleMemory(service.pid))
  await service.stop()
}

/** In the order of the table. */
export const SERVER_ROWS: readonly ServerRow[] = [...ENDPOINTS.map(endpointRow), signInRow, scaleRow, memoryRow]
