import { createHash } from 'node:crypto'
import { Agent } from 'node:http'
import { createBrowser } from './browser.js'
import { send } from './customers.js'
import type { Provider } from './provider.js'
import type { SignInJob } from './sign-in-load.js'
import type { Service } from './subject.js'

/** An organization whose users can sign in. */
export interface SignInOrganization {
  /** The public address of the service. */
  readonly baseUrl: string
  readonly domain: string
}

/**
 * Connects an organization to the provider, in the four steps.
 *
 * @example
 * const place = await connect(service, provider, { name: 'Reader', refreshes: false })
 */
export async function connect(
  { url, issueCode }: Service,
  provider: Provider,
  { name, refreshes }: { readonly name: string; readonly refreshes: boolean },
): Promise<SignInOrganization> {
  const domain = `${name.toLowerCase()}.example.com`
  const { token } = await send(`${url}/v1/auth/validate?code=${await issueCode(name)}`)
  const body = JSON.stringify({ well_known_url: provider.wellKnownUrl, domain, org_name: name })
  const opened = await send(`${url}/v1/api/oauth`, { token, body })
  const redirectUri = String(opened.sign_in_uri)
  const { clientId, clientSecret } = await provider.register({ redirectUri, refreshes })
  const client = JSON.stringify({ client_id: clientId, client_secret: clientSecret })
  await send(`${url}/v1/api/oauth/${opened.transaction_id}/onboard`, { token, body: client })
  return { baseUrl: new URL(redirectUri).origin, domain }
}

/**
 * Signs users in, and returns the cookie of each.
 *
 * @example
 * const [cookie] = await signInUsers(place, 8)
 */
export async function signInUsers({ baseUrl, domain }: SignInOrganization, count: number): Promise<readonly string[]> {
  const agent = new Agent({ keepAlive: true })
  const cookies: string[] = []
  for (let i = 1; i <= count; i++) {
    const browser = createBrowser(agent)
    await browser.followTo(`${baseUrl}/v1/auth/login?email=reader-${i}@${domain}`, `${baseUrl}/`)
    cookies.push(browser.cookiesFor(baseUrl))
  }
  agent.destroy()
  return cookies
}

/** A sign-in as the load makes it. */
export type SignInWay = Omit<SignInJob, 'browsers' | 'seconds'>

const startOf = ({ baseUrl, domain }: SignInOrganization) => `${baseUrl}/v1/auth/login?email=person-<n>@${domain}`

/** From the login to the session. */
export function signInJob(place: SignInOrganization): SignInWay {
  return { start: startOf(place), end: `${place.baseUrl}/` }
}

/** A redirect URI that is never opened. */
const NOWHERE = 'http://127.0.0.1:1/callback'

const VERIFIER = 'a-verifier-of-the-benchmark-that-is-the-same-for-everybody'

/** The same request as the service makes, for a client of its own, which redeems its code itself. */
export async function providerJob(place: SignInOrganization, provider: Provider): Promise<SignInWay> {
  const agent = new Agent()
  const { headers } = await createBrowser(agent).send(startOf(place))
  const { clientId, clientSecret } = await provider.register({ redirectUri: NOWHERE, refreshes: true })
  const url = new URL(String(headers.location))
  url.searchParams.set('client_id', clientId)
  url.searchParams.set('redirect_uri', NOWHERE)
  url.searchParams.set('code_challenge', createHash('sha256').update(VERIFIER).digest('base64url'))
  return {
    start: url.href.replaceAll('%3Cn%3E', '<n>'),
    end: NOWHERE,
    redeem: {
      url: `${provider.issuer}/token`,
      authorization: `Basic ${Buffer.from(`${clientId}:${encodeURIComponent(clientSecret)}`).toString('base64')}`,
      fields: { grant_type: 'authorization_code', redirect_uri: NOWHERE, code_verifier: VERIFIER },
    },
  }
}
