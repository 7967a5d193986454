import type { IdentityProvider } from './identity-provider.js'
import type { Provider } from './provider.js'
import { connect, signInPeople } from './sign-in.js'
import type { Service } from './subject.js'

/** Some organizations at the same time, so that no row of the database is the only one that is hot. */
const CUSTOMERS = 8

/** An organization in the middle of its onboarding: everything that its calls need. */
export interface Customer {
  readonly code: string
  readonly token: string
  /** The body of step 2 that opened the open transaction. */
  readonly connection: string
  readonly openTransaction: string
  /** One that a later request has closed. */
  readonly closedTransaction: string
  /** The cookie of somebody who is signed in, of another organization, which is connected. */
  readonly cookie: string
}

/** What customers connect to, and where people sign in. */
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
  // Without refresh tokens: nobody is asked again about people who only read.
  const cookies = await signInPeople(await connect(service, real, { name: 'Readers', refreshes: false }), CUSTOMERS)
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
  const { token } = await ask(`${url}/v1/auth/validate?code=${code}`)
  const open = async (connection: string) =>
    String((await ask(`${url}/v1/api/oauth`, { token, body: connection })).transaction_id)
  const bodyOf = (domain: string) => JSON.stringify({ well_known_url: wellKnownUrl, domain, org_name: name })
  const closedTransaction = await open(bodyOf(`first-${number}.example.com`))
  const connection = bodyOf(`customer-${number}.example.com`)
  const openTransaction = await open(connection)
  return { code, token: String(token), connection, openTransaction, closedTransaction }
}

/** Calls the service, and takes only a success for an answer. */
export async function ask(
  url: string,
  post?: { readonly token: unknown; readonly body: string },
): Promise<Record<string, unknown>> {
  const response = await fetch(
    url,
    post && { method: 'POST', headers: { authorization: `Bearer ${post.token}` }, body: post.body },
  )
  const text = await response.text()
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}
