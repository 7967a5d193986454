import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { exportSPKI, SignJWT } from 'jose'
import { createGuardedFetch } from '../../src/discovery/guarded-fetch.js'
import type { Provider } from '../../src/discovery/provider.js'
import type { Authorization } from '../../src/signin/begin-authorization.js'
import { createSignIn, type SignIn } from '../../src/signin/create-sign-in.js'
import type { SignInClient } from '../../src/signin/redeem-callback.js'
import { type ReceivedRequest, startServer } from '../discovery/local-server.js'

export const NOW = new Date('2030-01-01T12:00:00Z')
const SECONDS = NOW.getTime() / 1000

export interface Key {
  readonly kid: string | undefined
  readonly alg: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const PAIRS = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
} as const

export function makeKey(alg: keyof typeof PAIRS = 'ES256', kid: string | undefined = randomUUID()): Key {
  const { privateKey, publicKey } = PAIRS[alg]()
  return { kid, alg, privateKey: privateKey as KeyObject, publicKey: publicKey as KeyObject }
}

/** A response of a token endpoint. */
export interface ProviderResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

type Claims = Record<string, unknown>

export interface LyingProvider extends AsyncDisposable {
  readonly provider: Provider
  readonly client: SignInClient
  readonly signIn: SignIn
  readonly requests: readonly ReceivedRequest[]
  /** The published keys. */
  keys: Key[]
  /** The key set as it is published; by default made from `keys`. */
  published: unknown
  /** The response of the token endpoint to a request. */
  token: (request: ReceivedRequest) => Promise<ProviderResponse> | ProviderResponse
  userinfo: (request: ReceivedRequest) => ProviderResponse
  jwks: ((request: ReceivedRequest) => ProviderResponse) | undefined
  /** Moves the clock of the service. */
  setClock(now: Date): void
  /** Valid claims for an authorization, with these changes; `undefined` removes a claim. */
  claims(authorization: Authorization, changes?: Claims): Claims
  sign(claims: Claims, options?: { readonly key?: Key; readonly header?: Record<string, unknown> }): Promise<string>
  /** The number of requests to a path. */
  requestCount(path: string): number
  /** Begins a sign-in, makes the token endpoint respond with these claims, and redeems the callback. */
  signInWith(changes?: Claims, more?: SignInMore): ReturnType<SignIn['redeem']>
}

export interface SignInMore {
  readonly query?: Record<string, string | readonly string[]>
  readonly token?: (authorization: Authorization) => Promise<ProviderResponse> | ProviderResponse
  readonly key?: Key
  readonly header?: Record<string, unknown>
  readonly expected?: Partial<Pick<Authorization, 'state' | 'nonce' | 'verifier'>>
  readonly provider?: Partial<Provider>
}

/**
 * Starts an identity provider that signs and returns whatever a test wants.
 *
 * @example
 * await using idp = await startLyingProvider()
 * await idp.signInWith({ iss: 'https://evil.example' }) // SignInFailure with code 'wrong_issuer'
 */
export async function startLyingProvider(options: Partial<Provider> = {}): Promise<LyingProvider> {
  const server = await startServer(async (request, response) => {
    const { status = 200, headers = {}, body } = await respond(request)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const issuer = `http://127.0.0.1:${server.port}`
  let now = NOW
  const provider: Provider = {
    issuer,
    authorizationEndpoint: `${issuer}/authorize?brand=acme`,
    tokenEndpoint: `${issuer}/token`,
    jwksUri: `${issuer}/jwks`,
    userinfoEndpoint: `${issuer}/userinfo`,
    clientAuthMethods: ['client_secret_basic'],
    signingAlgorithms: ['RS256', 'ES256', 'EdDSA'],
    sendsIssuer: false,
    wellKnownUrl: `${issuer}/.well-known/openid-configuration`,
    ...options,
  }
  const respond = async (request: ReceivedRequest): Promise<ProviderResponse> => {
    if (request.url === '/token') return idp.token(request)
    if (request.url === '/userinfo') return idp.userinfo(request)
    if (request.url === '/jwks') return idp.jwks?.(request) ?? { body: idp.published ?? { keys: idp.keys.map(jwkOf) } }
    return { status: 404, body: {} }
  }
  const client: SignInClient = {
    clientId: 'omen',
    clientSecret: 'a secret: 100%',
    authMethod: 'client_secret_basic',
    redirectUri: 'https://omen.test/v1/auth/callback/7c0c8b3e-4d6c-4c5c-9d54-0d9f6d3c3a11',
  }
  const signIn = createSignIn({
    guarded: createGuardedFetch({ allowInsecure: true, timeout: 120_000 }),
    clock: () => now,
  })
  const idp: LyingProvider = {
    provider,
    client,
    signIn,
    requests: server.requests,
    keys: [makeKey()],
    published: undefined,
    token: () => ({ status: 400, body: { error: 'invalid_grant' } }),
    userinfo: () => ({ status: 404, body: {} }),
    jwks: undefined,
    setClock: (moment) => {
      now = moment
    },
    claims: ({ nonce }, changes = {}) => {
      const good = {
        iss: issuer,
        aud: client.clientId,
        sub: 'user-1',
        iat: SECONDS,
        exp: SECONDS + 300,
        nonce,
        email: 'alice@acme.com',
      }
      return Object.fromEntries(Object.entries({ ...good, ...changes }).filter(([, value]) => value !== undefined))
    },
    sign: (claims, { key = idp.keys[0]!, header = {} } = {}) =>
      new SignJWT(claims as Record<string, string>)
        .setProtectedHeader({ alg: key.alg, ...(key.kid !== undefined && { kid: key.kid }), ...header })
        .sign(key.privateKey),
    requestCount: (path) => server.requests.filter(({ url }) => url === path).length,
    signInWith: async (changes = {}, more = {}) => {
      const lied = { ...provider, ...more.provider }
      const begun = signIn.begin(lied, client)
      idp.token = async () =>
        more.token
          ? more.token(begun)
          : tokens(
              await idp.sign(idp.claims(begun, changes), {
                ...(more.key && { key: more.key }),
                ...(more.header && { header: more.header }),
              }),
            )
      const query = new URLSearchParams()
      for (const [name, values] of Object.entries({ code: 'c0de', state: begun.state, ...more.query })) {
        for (const value of typeof values === 'string' ? [values] : values) query.append(name, value)
      }
      const { state, nonce, verifier } = begun
      return signIn.redeem({ provider: lied, client, expected: { state, nonce, verifier, ...more.expected }, query })
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return idp
}

export function tokens(idToken: string): ProviderResponse {
  return { body: { access_token: 'access-1', token_type: 'Bearer', id_token: idToken, refresh_token: 'refresh-1' } }
}

export function jwkOf({ kid, alg, publicKey }: Key): Record<string, unknown> {
  return { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg, ...(kid !== undefined && { kid }) }
}

/** A token without a signature. */
export function unsigned(claims: Claims): string {
  return `${encode({ alg: 'none' })}.${encode(claims)}.`
}

/** A token signed with HS256, with the published key as a shared secret. */
export async function signedWithPublicKey(claims: Claims, { publicKey, kid }: Key): Promise<string> {
  const input = `${encode({ alg: 'HS256', kid })}.${encode(claims)}`
  const secret = await exportSPKI(publicKey as unknown as Parameters<typeof exportSPKI>[0])
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
