import { expect } from 'vitest'
import { createDiscovery } from '../../src/discovery/discover.js'
import type { ClientAuthMethod, Provider } from '../../src/discovery/provider.js'
import { Problem } from '../../src/problem.js'
import { type ReceivedRequest, startServer } from './local-server.js'

export const CLIENT = {
  clientId: 'acme-app',
  clientSecret: 'hunter2-Sehr~geheim',
  redirectUri: 'https://omen.test/v1/auth/callback/7',
}

export type TokenEndpointResponse = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>]

export interface Outcome {
  readonly method?: ClientAuthMethod
  readonly problem?: Problem
  readonly requests: readonly ReceivedRequest[]
}

export const BOTH: readonly ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post']

/** Checks a client at a token endpoint that returns these responses, one after the other. */
export async function check(
  responses: readonly TokenEndpointResponse[],
  { methods = BOTH, client = CLIENT } = {},
): Promise<Outcome> {
  let next = 0
  await using server = await startServer((_, response) => {
    const [status, body, headers = {}] = responses[next++] ?? [500, 'too many requests']
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const discovery = createDiscovery({ allowInsecure: true })
  try {
    const method = await discovery.checkClient(providerAt(server.port, methods), client)
    return { method, requests: server.requests }
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    return { problem: error as Problem, requests: server.requests }
  }
}

export function providerAt(port: number, clientAuthMethods: readonly ClientAuthMethod[]): Provider {
  const issuer = `http://127.0.0.1:${port}`
  return {
    issuer,
    authorizationEndpoint: `${issuer}/authorize`,
    tokenEndpoint: `${issuer}/token`,
    jwksUri: `${issuer}/jwks`,
    clientAuthMethods,
    signingAlgorithms: ['RS256'],
    sendsIssuer: false,
    wellKnownUrl: `${issuer}/.well-known/openid-configuration`,
  }
}

export const GRANT: TokenEndpointResponse = [400, { error: 'invalid_grant' }]
export const CLIENT_ERROR: TokenEndpointResponse = [401, { error: 'invalid_client' }]
