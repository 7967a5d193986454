import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const CLIENT_ID = 'omen-web'
export const CLIENT_SECRET = 'correct-horse-battery-staple-100%'

export interface IdentityProvider {
  readonly wellKnownUrl: string
  /** Registers the redirect URI of the application, in place of the previous one. */
  register(redirectUri: string): void
  close(): Promise<void>
}

/**
 * A real OpenID provider with its own pages, on which any name and password sign in. The e-mail address is the name at acme.com,
 * unless the name already contains an @.
 *
 * @example
 * const idp = await startIdentityProvider()
 * idp.register('https://omen.example.com/v1/auth/callback/…')
 */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  let handle: RequestListener = (_, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const register = (redirectUri: string) => {
    handle = new Provider(issuer, configuration(redirectUri)).callback()
  }
  register('https://nowhere.example/callback')
  return {
    wellKnownUrl: `${issuer}/.well-known/openid-configuration`,
    register,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function configuration(redirectUri: string): Readonly<Record<string, unknown>> {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['only for this test'] },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, email: sub.includes('@') ? sub : `${sub}@acme.com`, email_verified: true }),
    }),
  }
}
