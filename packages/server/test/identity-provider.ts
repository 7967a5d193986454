import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll } from 'vitest'

export const CLIENT_ID = 'omen'
export const CLIENT_SECRET = 'correct horse battery staple: 100%'

/** A real OpenID provider on this machine, with one client. */
export function useIdentityProvider() {
  let server: Server | undefined
  let issuer = ''
  let beforeResponse: ((path: string) => Promise<void>) | undefined
  beforeAll(async () => {
    server = createServer()
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: ['https://omen.example.com/v1/auth/callback/any'],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
    })
    const handle = provider.callback()
    server.on('request', async (request, response) => {
      await beforeResponse?.(request.url ?? '')
      handle(request, response)
    })
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })
  return {
    issuer: () => issuer,
    wellKnownUrl: () => `${issuer}/.well-known/openid-configuration`,
    /** Called before each response, which it may delay. */
    before(hook: ((path: string) => Promise<void>) | undefined) {
      beforeResponse = hook
    },
  }
}
