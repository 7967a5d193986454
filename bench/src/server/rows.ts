import { bareRequests } from './bare.js'
import { AUDIT_RECORDS, ORGANIZATIONS } from './bulk.js'
import { type Contestant, duel } from './duel.js'
import { checkEndpoint, ENDPOINTS, type Endpoint } from './endpoints.js'
import type { Job } from './load.js'
import type { ServerOptions } from './options.js'
import { idleMemory } from './resident-memory.js'
import { besideBare, besideEmpty, besideProvider, MEMORY_GOAL, type ServerResult } from './result.js'
import { connect, providerJob, signInJob } from './sign-in.js'
import type { Stage, Stand } from './stage.js'

/** A part of the benchmark that can be asked for by name. It gives its lines of the table as they are measured. */
export interface ServerRow {
  readonly name: string
  readonly about: string
  run(stage: Stage, options: ServerOptions): AsyncGenerator<ServerResult>
}

type Target = Pick<Job, 'url' | 'requests' | 'status'>

const underLoad = ({ load }: Stage, name: string, target: Target): Contestant => ({
  name,
  round: (pace) => load.run({ ...target, ...pace }),
})

async function targetOn({ service, customers }: Stand, endpoint: Endpoint): Promise<Target> {
  for (const customer of customers) await checkEndpoint(service.url, endpoint, customer)
  const requests = customers.map((customer) => endpoint.request(customer))
  return { url: service.url, requests, status: endpoint.status }
}

const endpointRow = (endpoint: Endpoint): ServerRow => ({
  name: endpoint.name,
  about: endpoint.about,
  async *run(stage, options) {
    const ours = await targetOn(await stage.empty(), endpoint)
    const { url } = await stage.bare()
    const bare = { url, requests: bareRequests(ours.requests), status: 200 }
    const contestants = [underLoad(stage, 'omen', ours), underLoad(stage, 'bare', bare)] as const
    yield besideBare(endpoint.rateToBare)(endpoint.name, endpoint.about, await duel(contestants, options))
  },
})

const signInRow: ServerRow = {
  name: 'sign-in',
  about: 'complete sign-ins: login, provider, callback, session; beside the provider alone',
  async *run(stage, options) {
    const { service } = await stage.empty()
    const place = await connect(service, stage.provider, { name: 'Signers', refreshes: true })
    const job = signInJob(place)
    const alone = await providerJob(place, stage.provider)
    const browsers = (name: string, what: typeof job): Contestant => ({
      name,
      round: ({ connections, seconds }) => stage.signInLoad.run({ ...what, browsers: connections, seconds }),
    })
    const figures = await duel([browsers('omen', job), browsers('provider', alone)], options)
    yield besideProvider('sign-in', signInRow.about, figures)
  },
}

const scaleRow: ServerRow = {
  name: 'scale',
  about: `each of them with ${ORGANIZATIONS} organizations and ${AUDIT_RECORDS} audit records, beside none`,
  async *run(stage, options) {
    for (const endpoint of ENDPOINTS) {
      const full = underLoad(stage, 'full', await targetOn(await stage.full(), endpoint))
      const empty = underLoad(stage, 'empty', await targetOn(await stage.empty(), endpoint))
      yield besideEmpty('scale', `${endpoint.name}, full`, await duel([full, empty], options))
    }
  },
}

const memoryRow: ServerRow = {
  name: 'memory',
  about: 'idle: after the start, and after load and a pause, on PostgreSQL and embedded',
  async *run(stage, options) {
    const databaseUrl = await stage.postgres.createDatabase('memory')
    yield* memoryOf('on PostgreSQL', stage, options, { databaseUrl })
    yield* memoryOf('embedded', stage, options, {})
  },
}

async function* memoryOf(
  where: string,
  stage: Stage,
  { connections, seconds, runs }: ServerOptions,
  place: { readonly databaseUrl?: string },
): AsyncGenerator<ServerResult> {
  const folder = `memory ${where}`.replaceAll(' ', '-')
  const result = (work: string, bytes: number): ServerResult => ({
    row: 'memory',
    work: `${where}, ${work}`,
    subject: null,
    opponent: null,
    judged: [{ measured: bytes / 2 ** 20, goal: MEMORY_GOAL }],
  })
  const first = await stage.begin(folder, place)
  yield result('after the first start, which makes the database', await idleMemory(first.pid))
  await first.stop()
  const service = await stage.begin(folder, place)
  yield result('after another start', await idleMemory(service.pid))
  const stand = await stage.takeOn(service)
  for (const endpoint of ENDPOINTS) {
    const target = await targetOn(stand, endpoint)
    await stage.load.run({ ...target, connections, seconds: seconds * runs })
  }
  yield result('after load on every endpoint', await idleMemory(service.pid))
  await service.stop()
}

/** In the order of the table. */
export const SERVER_ROWS: readonly ServerRow[] = [...ENDPOINTS.map(endpointRow), signInRow, scaleRow, memoryRow]
