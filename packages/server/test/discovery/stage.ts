import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'vitest'
import { createDiscovery } from '../../src/discovery/discover.js'
import { FetchFailure } from '../../src/discovery/fetch-failure.js'
import { createGuardedFetch, type GuardedFetchOptions } from '../../src/discovery/guarded-fetch.js'
import type { Discovery } from '../../src/discovery/provider.js'
import { explainAddress } from '../../src/discovery/public-address.js'
import { Problem } from '../../src/problem.js'
import { makeAuthority } from './certificates.js'
import { startServer } from './local-server.js'

export type Json = Readonly<Record<string, unknown>>

/** The host with a trusted certificate. */
export const HOST = 'idp.test'

export const authority = makeAuthority()

const ADDRESSES: Readonly<Record<string, string>> = { 'inside.test': '10.0.0.1', 'cloud.test': '169.254.169.254' }

/** Treats 127.0.0.1 as a public address, because the machine has no public address to listen on. */
export const STAGE = {
  allowInsecure: false,
  // A long timeout for slow machines; the timeout itself is tested with a short one.
  timeout: 120_000,
  ca: authority.ca,
  resolve: async (host: string): Promise<readonly string[]> => [ADDRESSES[host] ?? '127.0.0.1'],
  explainAddress: (address: string) => (address === '127.0.0.1' ? undefined : explainAddress(address)),
} satisfies GuardedFetchOptions

/** Why a request failed. */
export async function failureOf(work: Promise<unknown>): Promise<{ kind: string; message: string }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(FetchFailure)
  const { kind, message } = error as FetchFailure
  return { kind, message }
}

export interface Page {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface PublishedProvider extends AsyncDisposable {
  readonly issuer: string
  readonly wellKnownUrl: string
  readonly discovery: Discovery
  /** The responses, by path. */
  readonly pages: Map<string, Page>
  /** Publishes a valid configuration with these changes and keys. */
  publish(changes: Json, keys?: unknown, path?: string): void
  /** The problem of discovery for a URL that cannot be used. */
  problemOf(url: string): Promise<Problem>
}

export const RSA_KEY = {
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' }),
  kid: 'r',
  use: 'sig',
  alg: 'RS256',
}

const WELL_KNOWN = '/.well-known/openid-configuration'

/**
 * Starts an identity provider over HTTPS that publishes what a test wants.
 *
 * @example
 * await using idp = await startProvider()
 * idp.publish({ issuer: 'https://evil.test' })
 */
export async function startProvider(): Promise<PublishedProvider> {
  const pages = new Map<string, Page>()
  const server = await startServer((request, response) => {
    const { status = 200, headers = {}, body } = pages.get(request.url) ?? { status: 404, body: 'not here' }
    response.writeHead(status, headers).end(body)
  }, authority.issue(HOST))
  const issuer = `https://${HOST}:${server.port}`
  const discovery = createDiscovery({ allowInsecure: false, fetch: createGuardedFetch(STAGE) })
  return {
    issuer,
    wellKnownUrl: `${issuer}${WELL_KNOWN}`,
    discovery,
    pages,
    publish(changes, keys = { keys: [RSA_KEY] }, path = WELL_KNOWN) {
      pages.clear()
      pages.set(path, { body: JSON.stringify({ ...goodConfiguration(issuer), ...changes }) })
      pages.set('/jwks', { body: JSON.stringify(keys) })
    },
    async problemOf(url) {
      const error = await discovery.discover(url).then(
        (provider) => expect.fail(`found ${provider.issuer}`),
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(Problem)
      expect((error as Problem).code).toBe('discovery_failed')
      return error as Problem
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function goodConfiguration(issuer: string): Json {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}
