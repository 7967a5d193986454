import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Requester } from '../src/audit/audit.js'
import type { Clock } from '../src/clock.js'
import { createGuardedFetch } from '../src/discovery/guarded-fetch.js'
import type { ClientAuthMethod, ClientCredentials, Discovery, Provider } from '../src/discovery/provider.js'
import { type Keys, loadKeys } from '../src/keys/keys.js'
import { type ConnectionRequest, createOnboarding, type Onboarding } from '../src/onboarding/onboarding.js'
import { prepareDatabase } from '../src/onboarding/prepare-database.js'
import { createOperations } from '../src/operator/create-operations.js'
import type { Operations } from '../src/operator/operations.js'
import { Problem } from '../src/problem.js'
import { compilePackage } from '../src/releases/compile-package.js'
import { createReleases } from '../src/releases/create-releases.js'
import type { Releases } from '../src/releases/releases.js'
import { createSignIn, type SignIn } from '../src/signin/create-sign-in.js'
import type { Database } from '../src/store/database.js'

export const URLS = { baseUrl: 'https://omen.test', appUrl: 'https://app.omen.test' }
export const REQUESTER: Requester = { address: '192.0.2.7', requestId: 'request-1', agent: 'Firefox on Linux' }
export const REQUEST: ConnectionRequest = {
  well_known_url: 'https://idp.acme.com/.well-known/openid-configuration',
  domain: 'acme.com',
  org_name: 'Acme Inc.',
}
export const CLIENT = { client_id: 'client-7', client_secret: 'a client secret that must not appear' }

/** A discovery with responses that a test chooses, which records its calls. */
export interface StubDiscovery extends Discovery {
  readonly discovered: string[]
  readonly checked: ClientCredentials[]
  /** Runs before a response, to simulate concurrent changes. */
  meanwhile: (() => Promise<void>) | undefined
  problem: Problem | undefined
  authMethod: ClientAuthMethod
}

export interface World {
  readonly database: Database
  readonly keys: Keys
  readonly discovery: StubDiscovery
  readonly signIn: SignIn
  readonly onboarding: Onboarding
  readonly operations: Operations
  readonly releases: Releases
  readonly dataDir: string
  readonly clock: Clock
  /** Moves the clock to a time. */
  setClock(time: string): void
}

/** Onboarding and operator on a test database, with the clock at noon of 2030-01-01. */
export async function makeWorld(database: Database): Promise<World> {
  const dataDir = temporaryFolder()
  const keys = loadKeys({ dataDir, environment: {} })
  const discovery = stubDiscovery()
  let now = new Date('2030-01-01T12:00:00Z')
  const clock = () => now
  await prepareDatabase({ database, keys, clock })
  const signIn = createSignIn({ guarded: createGuardedFetch({ allowInsecure: true, timeout: 120_000 }), clock })
  const deps = { database, keys, discovery, signIn, clock, urls: URLS, compile: compilePackage }
  return {
    database,
    keys,
    discovery,
    signIn,
    onboarding: createOnboarding(deps),
    operations: createOperations(deps),
    releases: createReleases(deps),
    dataDir,
    clock,
    setClock: (time) => {
      now = new Date(time)
    },
  }
}

function stubDiscovery(): StubDiscovery {
  const stub: StubDiscovery = {
    discovered: [],
    checked: [],
    meanwhile: undefined,
    problem: undefined,
    authMethod: 'client_secret_basic',
    discover: async (wellKnownUrl) => {
      stub.discovered.push(wellKnownUrl)
      await stub.meanwhile?.()
      if (stub.problem) throw stub.problem
      return providerAt(wellKnownUrl)
    },
    checkClient: async (_provider, client) => {
      stub.checked.push(client)
      await stub.meanwhile?.()
      if (stub.problem) throw stub.problem
      return stub.authMethod
    },
  }
  return stub
}

export function providerAt(wellKnownUrl: string): Provider {
  const issuer = new URL(wellKnownUrl).origin
  return {
    issuer,
    authorizationEndpoint: `${issuer}/authorize`,
    tokenEndpoint: `${issuer}/token`,
    jwksUri: `${issuer}/keys`,
    clientAuthMethods: ['client_secret_basic'],
    signingAlgorithms: ['RS256'],
    sendsIssuer: false,
    wellKnownUrl,
  }
}

/** The outcome of a promise: `ok`, or the code of its problem. Any other error is thrown. */
export async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'ok'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

/** The outcomes of concurrent promises, counted. */
export async function outcomesOf(promises: Iterable<Promise<unknown>>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const outcome of await Promise.all([...promises].map(outcomeOf))) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

const folders: string[] = []
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'omen-server-'))
  folders.push(folder)
  return folder
}

/** Removes the temporary folders of this test file. */
export function removeTemporaryFolders(): void {
  afterAll(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
}
