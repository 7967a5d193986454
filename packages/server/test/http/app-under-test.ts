import { Writable } from 'node:stream'
import { brotliCompressSync } from 'node:zlib'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import type { Administration } from '../../src/administration/administration.js'
import type { Catalogue } from '../../src/catalogue/catalogue.js'
import type { Devices } from '../../src/devices/devices.js'
import { type AppOptions, createApp } from '../../src/http/app.js'
import { createLogger } from '../../src/http/observing/log.js'
import type { Onboarding } from '../../src/onboarding/onboarding.js'
import { Problem } from '../../src/problem.js'
import type { Releases } from '../../src/releases/releases.js'
import type { Sessions } from '../../src/sessions/sessions.js'
import type { Settings } from '../../src/settings/settings.js'
import { checkAgainstDocument } from './check-response.js'

export const SETTINGS: Settings = {
  host: '127.0.0.1',
  port: 8080,
  dataDir: '/nowhere',
  baseUrl: 'http://localhost:8080',
  onboardUrl: 'http://localhost:8080',
  appUrl: 'http://localhost:8080',
  allowInsecureIdp: false,
  databaseUrl: undefined,
  trustProxy: [],
  metricsFrom: ['127.0.0.0/8', '::1'],
  limitCodeTries: 10,
  limitCalls: 60,
  limitDownloads: 120,
  limitSignIns: 60,
  logLevel: 'trace',
}

/** Settings in which each of the three addresses has its own host. */
export const THREE_HOSTS = {
  onboardUrl: 'https://start.omen.example',
  baseUrl: 'https://login.omen.example',
  appUrl: 'https://app.omen.example',
} as const

export const OPENED = {
  sign_in_uri: 'http://localhost:8080/v1/auth/callback/1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b',
  transaction_id: '4fVkQQwWpcoZ7TjEXgJ3NN',
  expires_at: '2026-11-17T12:00:00.000Z',
}

export const COMPLETED = {
  status: 'completed',
  login_url: 'http://localhost:8080/v1/auth/login',
  app_url: 'http://localhost:8080',
} as const

export const STARTED_TEST = {
  test_url: 'http://localhost:8080/v1/auth/test/5mCTRVrLtbLuLNxHgyGcXbRZyhRMdVKqxbSrMDfhyWE',
  expires_at: '2026-11-15T12:15:00.000Z',
}

export interface AppUnderTest {
  readonly app: FastifyInstance
  /** Every call of onboarding, in order: the method, then its arguments. */
  readonly calls: readonly (readonly unknown[])[]
  /** Everything that was logged. */
  readonly logged: () => string
  /** Sends a request without a socket. Every response is checked against the OpenAPI document. */
  readonly send: (request: InjectOptions) => Promise<LightMyRequestResponse>
}

/** Releases without any published package. */
export const NOTHING_RELEASED: Releases = {
  identify: () => Promise.reject(new Problem('invalid_token', 'This token is mistyped or was revoked.')),
  latest: async () => ({}),
  history: async () => ({ releases: [] }),
  keys: async () => ({ keys: [] }),
  find: async () => undefined,
  publish: () => Promise.reject(new Problem('missing_scope', 'This token may not publish.')),
}

export type Overrides = Omit<Partial<AppOptions>, 'onboarding' | 'settings' | 'releases'> & {
  readonly settings?: Partial<Settings>
  readonly releases?: Partial<Releases>
  readonly onboarding?: Partial<AppOptions['onboarding']>
}

/** An app whose onboarding accepts everything unless the test replaces it. It is closed after the test. */
export async function startApp(overrides: Overrides = {}): Promise<AppUnderTest> {
  const started = await makeApp(overrides)
  onTestFinished(() => started.app.close())
  return started
}

/** One app for all tests of a group. The recorded calls are cleared before each test. */
export function useApp(overrides: Overrides = {}): () => AppUnderTest {
  let started: (AppUnderTest & { readonly calls: (readonly unknown[])[] }) | undefined
  beforeAll(async () => {
    const settings = {
      limitCodeTries: 1_000_000,
      limitCalls: 1_000_000,
      limitDownloads: 1_000_000,
      ...overrides.settings,
    }
    started = await makeApp({ ...overrides, settings })
  })
  beforeEach(() => {
    started!.calls.length = 0
  })
  afterAll(() => started!.app.close())
  return () => started!
}

/** Sessions without any signed-in user. */
export const NOBODY: Sessions = {
  begin: async () => ({ step: 'ask', reason: 'nothing' }),
  finish: async () => undefined,
  read: async () => undefined,
  list: async () => [],
  end: async () => false,
  logOut: async () => ({ providerUrl: undefined }),
  logOutByProvider: async () => {},
  beginHandOver: async () => undefined,
  finishHandOver: async () => undefined,
}

export const NO_TOOLS: Devices = {
  begin: async () => expect.fail('no tool was to be signed in'),
  find: async () => undefined,
  decide: async () => false,
  exchange: async () => 'invalid_grant',
  refresh: async () => 'invalid_grant',
  revoke: async () => {},
  read: async () => undefined,
}

const unexpectedCall = async () => expect.fail('unexpected call of the administration')

/** An administration without any organization. */
export const NO_ADMINISTRATION: Administration = {
  readOrganization: unexpectedCall,
  listMembers: unexpectedCall,
  setRole: unexpectedCall,
  removeMember: unexpectedCall,
  listDomains: unexpectedCall,
  addDomain: unexpectedCall,
  checkDomain: unexpectedCall,
  removeDomain: unexpectedCall,
  readAudit: unexpectedCall,
  listTokens: unexpectedCall,
  issueToken: unexpectedCall,
  revokeToken: unexpectedCall,
  readConnection: unexpectedCall,
  proposeConnection: unexpectedCall,
  startConnectionTest: unexpectedCall,
  switchConnection: unexpectedCall,
  dropNextConnection: unexpectedCall,
  beginTest: async () => undefined,
  finishTest: async () => undefined,
}

/** An empty catalogue. */
export const NO_RULES: Catalogue = {
  list: async () => ({ tag: 'W/"empty"', brotli: brotliCompressSync('{"version":"1.0.0","rules":[]}') }),
  find: async () => undefined,
}

async function makeApp({ settings, onboarding, releases, ...overrides }: Overrides) {
  const calls: (readonly unknown[])[] = []
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const accepting: Onboarding = {
    exchangeCode: async () => ({ token: 'a.b.c' }),
    openTransaction: async () => OPENED,
    complete: async () => COMPLETED,
    startTest: async () => STARTED_TEST,
    readTest: async () => ({ status: 'none' }),
    beginTest: async () => 'https://idp.example/authorize?state=s',
    finishTest: async () => ({ status: 'passed', email: 'alice@acme.example' }),
  }
  const recorded = Object.fromEntries(
    Object.entries({ ...accepting, ...onboarding }).map(([name, respond]) => [
      name,
      (...given: unknown[]) => {
        calls.push([name, ...given])
        return (respond as (...given: unknown[]) => unknown)(...given)
      },
    ]),
  ) as unknown as Onboarding
  const app = await createApp({
    onboarding: recorded,
    releases: { ...NOTHING_RELEASED, ...releases },
    sessions: NOBODY,
    devices: NO_TOOLS,
    administration: NO_ADMINISTRATION,
    catalogue: NO_RULES,
    settings: { ...SETTINGS, ...settings },
    database: { check: async () => {} },
    clock: () => new Date('2026-11-15T12:00:00Z'),
    logger: createLogger({ level: 'trace', destination }),
    ...overrides,
  })
  const send = async (request: InjectOptions) => {
    const response = await app.inject(request)
    await checkAgainstDocument(app, request, response)
    return response
  }
  return { app, calls, logged: () => lines.join(''), send }
}

export const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'

export const BEARER = { authorization: `Bearer ${TOKEN}` }

export const CONNECTION = {
  well_known_url: 'https://acme.okta.example/.well-known/openid-configuration',
  domain: 'acme.example',
  org_name: 'Acme',
}

export const CLIENT = { client_id: 'client-1', client_secret: 'hush-hush-secret' }
