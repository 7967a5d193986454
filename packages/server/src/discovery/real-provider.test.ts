import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider as IdentityProvider } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDiscovery } from './discover.js'

const redirectUri = 'https://omen.test/v1/auth/callback/7'

/** One client for each method, with letters that must be encoded. */
const SECRETS: Readonly<Record<string, string>> = { 'basic client': 's3cret:+%/=~', 'post-client': 'a&b=c d' }

const server: Server = createServer()
let issuer: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { redirect_uris: [redirectUri], grant_types: ['authorization_code', 'refresh_token'] }
  const provider = new IdentityProvider(issuer, {
    clients: [
      { ...client, client_id: 'basic client', client_secret: SECRETS['basic client'] },
      {
        ...client,
        client_id: 'post-client',
        client_secret: SECRETS['post-client'],
        token_endpoint_auth_method: 'client_secret_post',
      },
      { ...client, client_id: 'public', token_endpoint_auth_method: 'none' },
    ],
    pkce: { required: () => true },
  })
  server.on('request', provider.callback())
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

describe('a real provider', () => {
  const discovery = createDiscovery({ allowInsecure: true })
  const discover = () => discovery.discover(`${issuer}/.well-known/openid-configuration`)

  test('is discovered', async () => {
    expect(await discover()).toMatchObject({
      issuer,
      authorizationEndpoint: `${issuer}/auth`,
      tokenEndpoint: `${issuer}/token`,
      jwksUri: `${issuer}/jwks`,
      userinfoEndpoint: `${issuer}/me`,
      clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
      sendsIssuer: true,
    })
  })

  test('is suggested for its issuer, but not used', async () => {
    await expect(discovery.discover(issuer)).rejects.toMatchObject({
      code: 'discovery_failed',
      message: `well_known_url "${issuer}" is not a well-known URL: it must end in /.well-known/openid-configuration. Send "${issuer}/.well-known/openid-configuration" instead.`,
    })
  })

  test.each(Object.entries(SECRETS))('accepts the client "%s"', async (clientId, clientSecret) => {
    const method = await discovery.checkClient(await discover(), { clientId, clientSecret, redirectUri })
    expect(['client_secret_basic', 'client_secret_post']).toContain(method)
  })

  test.each([
    ['a wrong secret', 'basic client', 'wrong'],
    ['an unknown client', 'nobody', 'wrong'],
    ['a client without secrets', 'public', 'wrong'],
  ])('rejects %s', async (_, clientId, clientSecret) => {
    const provider = await discover()
    await expect(discovery.checkClient(provider, { clientId, clientSecret, redirectUri })).rejects.toMatchObject({
      code: 'client_rejected',
      message: expect.stringContaining('"invalid_client" (status 401)'),
    })
  })

  test('is rejected outside development mode', async () => {
    const strict = createDiscovery({ allowInsecure: false })
    await expect(strict.discover(`${issuer}/.well-known/openid-configuration`)).rejects.toMatchObject({
      code: 'discovery_failed',
      message: `well_known_url "${issuer}/.well-known/openid-configuration" cannot be used: it does not start with https://. Only HTTPS is allowed.`,
    })
  })
})
