import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BareServer, startBare } from './bare.js'
import { fillDatabase } from './bulk.js'
import { type Customer, takeOnCustomers } from './customers.js'
import { startIdentityProvider } from './identity-provider.js'
import { type Load, startLoad } from './load.js'
import { type Postgres, startPostgres } from './postgres.js'
import { type Provider, startProvider } from './provider.js'
import { type SignInLoad, startSignInLoad } from './sign-in-load.js'
import { type ServerSubject, type Service, type ServiceFiles, startService } from './subject.js'

/** A service with customers in the middle of their onboarding. */
export interface RunningService {
  readonly service: Service
  readonly customers: readonly Customer[]
}

/** Everything that the rows measure, each started at its first use. */
export interface ServerStage {
  readonly postgres: Postgres
  readonly load: Load
  readonly signInLoad: SignInLoad
  readonly provider: Provider
  bare(): Promise<BareServer>
  /** The service on an empty PostgreSQL. */
  empty(): Promise<RunningService>
  /** The service on a PostgreSQL with 10,000 organizations. */
  full(): Promise<RunningService>
  /** Another service, just started. */
  begin(name: string, files: Omit<ServiceFiles, 'folder'>): Promise<Service>
  takeOn(service: Service): Promise<RunningService>
  close(): Promise<void>
}

/**
 * Starts what every row needs, in a folder that the caller removes.
 *
 * @example
 * const stage = await openStage({ subject: findServer(), scratch, report })
 */
export async function openStage({ subject, scratch, report }: ServerStageOptions): Promise<ServerStage> {
  const closing: (() => unknown)[] = []
  const postgres = await startPostgres(scratch)
  const load = startLoad()
  const signInLoad = startSignInLoad()
  const stub = await startIdentityProvider()
  const provider = await startProvider()
  const begin: ServerStage['begin'] = async (name, files) => {
    const folder = join(scratch, name)
    mkdirSync(folder, { recursive: true })
    const service = await startService(subject, { folder, ...files })
    closing.push(service.stop)
    return service
  }
  const takeOn: ServerStage['takeOn'] = async (service) => ({
    service,
    customers: await takeOnCustomers(service, { stub, real: provider }),
  })
  const serviceOn = async (name: string, fill: (url: string) => Promise<void>) => {
    const databaseUrl = await postgres.createDatabase(name)
    const service = await begin(name, { databaseUrl })
    await fill(databaseUrl)
    return takeOn(service)
  }
  return {
    postgres,
    load,
    signInLoad,
    provider,
    begin,
    takeOn,
    bare: once(async () => {
      const bare = await startBare(await postgres.createDatabase('bare'))
      closing.push(bare.stop)
      return bare
    }),
    empty: once(() => serviceOn('empty', async () => {})),
    full: once(() => {
      report('filling a database')
      return serviceOn('full', fillDatabase)
    }),
    async close() {
      for (const stop of closing.reverse()) await stop()
      load.stop()
      signInLoad.stop()
      stub.stop()
      await provider.stop()
      await postgres.stop()
    },
  }
}

export interface ServerStageOptions {
  readonly subject: ServerSubject
  readonly scratch: string
  readonly report: (text: string) => void
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
