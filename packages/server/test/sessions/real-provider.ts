import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

export const CLIENT_ID = 'omen'
export const CLIENT_SECRET = 'correct horse battery staple: 100%'

type Algorithm = 'RS256' | 'ES256' | 'EdDSA'

/** The configuration of an identity provider. */
export interface SetUp {
  readonly auth?: 'client_secret_basic' | 'client_secret_post'
  readonly algorithm?: Algorithm
  /** Whether it issues refresh tokens. */
  readonly refreshes?: boolean
  /** The value of `email_verified`; absent by default. */
  readonly verified?: boolean
  /** Whether the address is in the ID token; otherwise it is in the userinfo. */
  readonly inIdToken?: boolean
  /** Whether it sends and announces the issuer in its response (RFC 9207). */
  readonly sendsIssuer?: boolean
}

export interface RealProvider extends AsyncDisposable {
  readonly issuer: string
  readonly wellKnownUrl: string
  /** Registers the application. */
  register(application: { readonly redirectUri: string; readonly logoutUri?: string }): Promise<void>
  /** Makes it sign with another key. */
  rotateKeys(): Promise<void>
  /** Chooses the user of the next sign-in; there is no dialog. */
  account: string
  /** Makes it reject refresh tokens. */
  forgetEverybody(): void
}

/**
 * A real OpenID provider in one of several configurations, at which a user chosen by the test signs in without a dialog.
 *
 * @example
 * await using idp = await startRealProvider('acme.com', { algorithm: 'ES256' })
 */
export async function startRealProvider(domain: string, setUp: SetUp = {}): Promise<RealProvider> {
  const { algorithm = 'RS256', sendsIssuer = true } = setUp
  let handle: RequestListener = (_, response) => void response.writeHead(503).end()
  let provider: Provider | undefined
  let keys = [await makeKey(algorithm)]
  let application = { redirectUri: 'https://nowhere.example/callback' } as Parameters<RealProvider['register']>[0]
  let isForgetful = false
  const server = createServer((request, response) => {
    if (!sendsIssuer) hideIssuer(response)
    if (request.url?.startsWith('/interaction/')) {
      void provider!.interactionFinished(request, response, { login: { accountId: idp.account } })
      return
    }
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const renew = () => {
    provider = new Provider(
      issuer,
      configurationOf(setUp, domain, { keys, application, isForgetful: () => isForgetful }),
    )
    handle = provider.callback() as unknown as (request: IncomingMessage, response: ServerResponse) => void
  }
  renew()
  const idp: RealProvider = {
    issuer,
    wellKnownUrl: `${issuer}/.well-known/openid-configuration`,
    account: 'alice',
    register: async (given) => {
      application = given
      renew()
    },
    rotateKeys: async () => {
      keys = [await makeKey(algorithm)]
      renew()
    },
    forgetEverybody: () => {
      isForgetful = true
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return idp
}

async function makeKey(alg: Algorithm) {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `${alg} ${Math.random()}` }
}

interface Inside {
  readonly keys: readonly object[]
  readonly application: Parameters<RealProvider['register']>[0]
  readonly isForgetful: () => boolean
}

function configurationOf(setUp: SetUp, domain: string, { keys, application, isForgetful }: Inside) {
  const { auth = 'client_secret_basic', algorithm = 'RS256', refreshes = true, verified, inIdToken = true } = setUp
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [application.redirectUri],
        token_endpoint_auth_method: auth,
        id_token_signed_response_alg: algorithm,
        grant_types: ['authorization_code', ...(refreshes ? ['refresh_token'] : [])],
        ...(application.logoutUri !== undefined && { backchannel_logout_uri: application.logoutUri }),
      },
    ],
    jwks: { keys },
    clientAuthMethods: [auth],
    enabledJWA: { idTokenSigningAlgValues: [algorithm] },
    scopes: ['openid', 'email', 'profile', ...(refreshes ? ['offline_access'] : [])],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !inIdToken,
    cookies: { keys: ['only for these tests'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // The provider does not send requests to this machine by default.
    fetch: (address: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) =>
      fetch(address, options),
    issueRefreshToken: () => refreshes,
    rotateRefreshToken: true,
    findAccount: (_: unknown, sub: string) => {
      if (isForgetful()) return undefined
      const claims = { sub, email: `${sub}@${domain}`, name: `${sub} of ${domain}` }
      return {
        accountId: sub,
        claims: () => ({ ...claims, ...(verified !== undefined && { email_verified: verified }) }),
      }
    },
    loadExistingGrant: async (context: GrantContext) => {
      const { client, session, provider } = context.oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile offline_access')
      await grant.save()
      return grant
    },
  }
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

/** Providers before RFC 9207 neither announce nor send the issuer. */
function hideIssuer(response: ServerResponse): void {
  const end = response.end.bind(response)
  const setHeader = response.setHeader.bind(response)
  response.setHeader = (name, value) => {
    if (name.toLowerCase() !== 'location' || !URL.canParse(String(value))) return setHeader(name, value)
    const url = new URL(String(value))
    url.searchParams.delete('iss')
    return setHeader(name, url.href)
  }
  response.end = ((chunk: unknown, ...rest: never[]) => {
    const text =
      typeof chunk === 'string' ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : undefined
    if (text?.includes('authorization_response_iss_parameter_supported')) {
      const { authorization_response_iss_parameter_supported: _, ...kept } = JSON.parse(text)
      response.removeHeader('content-length')
      return end(JSON.stringify(kept))
    }
    return end(chunk as never, ...rest)
  }) as typeof response.end
}
