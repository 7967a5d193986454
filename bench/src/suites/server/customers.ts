import type { IdentityProvider } from './identity-provider.js'
import type { Provider } from './provider.js'
import { connect, signInUsers } from './sign-in.js'
import type { Service } from './subject.js'

/** Several organizations at the same time, so that the load is not on one row of the database. */
const CUSTOMERS = 8

/** An organization in the middle of its onboarding, with everything that its requests need. */
export interface Customer {
  readonly code: string
  readonly token: string
  /** The body of step 2 that opened the open transaction. */
  readonly connection: string
  readonly openTransaction: string
  /** One that a later request has closed. */
  readonly closedTransaction: string
  /** The session cookie of a user of another organization, which is connected. */
  readonly cookie: string
}

/** The identity providers of the customers and of the users who sign in. */
export interface Providers {
  readonly stub: IdentityProvider
  readonly real: Provider
}

/**
 * Issues codes and takes each through the steps 1 and 2, twice with different values. Connects one more organization, and signs as
 * many people in.
 *
 * @example
 * const customers = await takeOnCustomers(service, providers)
 */
export async function takeOnCustomers(service: Service, { stub, real }: Providers): Promise<readonly Customer[]> {
  // Without refresh tokens: the provider is not asked again about these users.
  const cookies = await signInUsers(await connect(service, real, { name: 'Readers', refreshes: false }), CUSTOMERS)
  const customers: Customer[] = []
  for (const [i, cookie] of cookies.entries()) {
    customers.push({ ...(await takeOn(service, stub, `Customer ${i + 1}`, i + 1)), cookie })
  }
  return customers
}

async function takeOn(
  { url, issueCode }: Service,
  { wellKnownUrl }: IdentityProvider,
  name: string,
  number: number,
): Promise<Omit<Customer, 'cookie'>> {
  const code = await issueCode(name)
  const { token } = await send(`${url}/v1/auth/validate?code=${code}`)
  const open = async (connection: string) =>
    String((await send(`${url}/v1/api/oauth`, { token, body: connection })).transaction_id)
  const bodyOf = (domain: string) => JSON.stringify({ well_known_url: wellKnownUrl, domain, org_name: name })
  const closedTransaction = await open(bodyOf(`first-${number}.example.com`))
  const connection = bodyOf(`customer-${number}.example.com`)
  const openTransaction = await open(connection)
  return { code, token: String(token), connection, openTransaction, closedTransaction }
}

/** Sends a request to the service. Throws when the response is not a success. */
export async function send(
  url: string,
  post?: { readonly token: unknown; readonly body: string },
): Promise<Record<string, unknown>> {
  const response = await fetch(
    url,
    post && { method: 'POST', headers: { authorization: `Bearer ${post.token}` }, body: post.body },
  )
  const text = await response.text()
  if (!response.ok) throw new Error(`${new URL(url).pathname} responded with ${response.status}: ${text}`)
  return JSON.parse(text)
}
