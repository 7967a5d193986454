import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An identity provider with only what onboarding requests from one. */
export interface IdentityProvider {
  readonly wellKnownUrl: string
  stop(): void
}

/**
 * Serves a discovery document, a key, and a token endpoint that accepts every client.
 *
 * @example
 * const provider = await startIdentityProvider()
 */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'ES256' }
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const [status, body] = responseTo(request.url ?? '/', `http://127.0.0.1:${port}`, key)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    wellKnownUrl: `http://127.0.0.1:${port}/.well-known/openid-configuration`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function responseTo(path: string, issuer: string, key: object): [number, object] {
  if (path === '/.well-known/openid-configuration') return [200, configurationOf(issuer)]
  if (path === '/keys') return [200, { keys: [key] }]
  // The response to an invalid authorization code from a client that was accepted.
  if (path === '/token') return [400, { error: 'invalid_grant' }]
  return [404, { error: 'not_found' }]
}

const configurationOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic'],
  scopes_supported: ['openid', 'email', 'profile', 'offline_access'],
})
