/**
 * The identity provider of the sign-in rows: `oidc-provider` with its own memory as its store, ES256, and no page. Who signs in is
 * the user of the address in `login_hint`.
 */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { Application, Client } from '../provider.js'

const SECRET = 'a secret of the benchmark, long enough for anybody'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'bench' }

const applications: Application[] = []
let provider: Provider | undefined
let handle: RequestListener = (_, response) => void response.writeHead(503).end()

const server = createServer((request, response) => {
  if (provider !== undefined && request.url?.startsWith('/interaction/')) void finish(provider, request, response)
  else handle(request, response)
})

const finish = async (at: Provider, ...[request, response]: Parameters<RequestListener>) => {
  const { params } = await at.interactionDetails(request, response)
  await at.interactionFinished(request, response, { login: { accountId: String(params.login_hint) } })
}

server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  renew(issuer)
  process.on('message', (application: Application) => {
    applications.push(application)
    renew(issuer)
    const client: Client = { clientId: clientIdOf(applications.length - 1), clientSecret: SECRET }
    process.send!(client)
  })
  process.send!({ issuer })
})
process.on('disconnect', () => process.exit(0))

const clientIdOf = (place: number) => `omen-${place}`

/** Its clients are known from its beginning, so there is another one for each application. The store is the same. */
function renew(issuer: string): void {
  provider = new Provider(issuer, {
    clients: applications.map(({ redirectUri, refreshes }, place) => ({
      client_id: clientIdOf(place),
      client_secret: SECRET,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'ES256',
      grant_types: ['authorization_code', ...(refreshes ? ['refresh_token'] : [])],
    })),
    jwks: { keys: [key] },
    clientAuthMethods: ['client_secret_basic'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    scopes: ['openid', 'email', 'profile', 'offline_access'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['only for the benchmark'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, email: sub, email_verified: true, name: `The one of ${sub}` }),
    }),
    loadExistingGrant,
  })
  handle = provider.callback()
}

interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> }
    }
  }
}

/** Everybody has agreed to everything. */
async function loadExistingGrant({ oidc: { client, session, provider: at } }: GrantContext) {
  const grant = new at.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid email profile offline_access')
  await grant.save()
  return grant
}
