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
import { type Place, type ServerSubject, type Service, startService } from './subject.js'

/** A service with customers in the middle of their onboarding. */
export interface Stand {
  readonly service: Service
  readonly customers: readonly Customer[]
}

/** All that the rows measure, each made when it is first asked for. */
export interface Stage {
  readonly postgres: Postgres
  readonly load: Load
  readonly signInLoad: SignInLoad
  readonly provider: Provider
  bare(): Promise<BareServer>
  /** The service on a PostgreSQL that holds nothing else. */
  empty(): Promise<Stand>
  /** The service on a PostgreSQL with the data of years. */
  full(): Promise<Stand>
  /** Another service, as it is after its start. */
  begin(name: string, place: Omit<Place, 'folder'>): Promise<Service>
  takeOn(service: Service): Promise<Stand>
  close(): Promise<void>
}

/**
 * Starts what every row needs, in a folder that the caller removes.
 *
 * @example
 * const stage = await openStage({ subject: findServer(), scratch, say })
 */
export async function openStage({ subject, scratch, say }: StageOptions): Promise<Stage> {
  const closing: (() => unknown)[] = []
  const postgres = await startPostgres(scratch)
  const load = startLoad()
  const signInLoad = startSignInLoad()
  const stub = await startIdentityProvider()
  const provider = await startProvider()
  const begin: Stage['begin'] = async (name, place) => {
    const folder = join(scratch, name)
    mkdirSync(folder, { recursive: true })
    const service = await startService(subject, { folder, ...place })
    closing.push(service.stop)
    return service
  }
  const takeOn: Stage['takeOn'] = async (service) => ({
    service,
    customers: await takeOnCustomers(service, { stub, real: provider }),
  })
  const standOn = async (name: string, fill: (url: string) => Promise<void>) => {
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
    empty: once(() => standOn('empty', async () => {})),
    full: once(() => {
      say('filling a database')
      return standOn('full', fillDatabase)
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

export interface StageOptions {
  readonly subject: ServerSubject
  readonly scratch: string
  readonly say: (text: string) => void
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
