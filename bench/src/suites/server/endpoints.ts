import type { Customer } from './customers.js'
import type { HttpRequest } from './load.js'

/** A request whose speed is measured. It leaves the state unchanged. */
export interface Endpoint {
  readonly name: string
  readonly about: string
  readonly status: number
  /** Every request of a signed-in user does this, so it is measured at the highest rate, not at a fixed one. */
  readonly isEveryRequest?: true
  /** The code of the problem in the response; absent for a success. */
  readonly problem?: string
  request(customer: Customer): HttpRequest
}

const CLIENT = JSON.stringify({ client_id: 'omen', client_secret: 'a secret that is tried nowhere' })
const UNKNOWN_CODE = '000000-000000'
/** Well-formed, so that the service looks it up. */
const UNKNOWN_TRANSACTION = '1111111111111111111111'

const post = (path: string, { token }: Customer, body: string): HttpRequest => ({
  method: 'POST',
  path,
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body,
})

const completionOf = (transaction: string) => `/v1/api/oauth/${transaction}/onboard`

/** In the order of the table. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'validate',
    about: 'GET /v1/auth/validate: a code for a fresh token, again within a minute',
    status: 200,
    request: ({ code }) => ({ method: 'GET', path: `/v1/auth/validate?code=${code}` }),
  },
  {
    name: 'guess',
    about: 'GET /v1/auth/validate: an unknown code',
    status: 401,
    problem: 'invalid_code',
    request: () => ({ method: 'GET', path: `/v1/auth/validate?code=${UNKNOWN_CODE}` }),
  },
  {
    name: 'repeat',
    about: 'POST /v1/api/oauth: the request of the open transaction, again',
    status: 200,
    request: (customer) => post('/v1/api/oauth', customer, customer.connection),
  },
  {
    name: 'refuse',
    about: 'POST /v1/api/oauth: a good token, a field missing',
    status: 422,
    problem: 'invalid_request',
    request: (customer) => post('/v1/api/oauth', customer, '{"domain":"example.com"}'),
  },
  {
    name: 'unknown',
    about: 'POST /v1/api/oauth/<id>/onboard: an unknown transaction',
    status: 404,
    problem: 'unknown_transaction',
    request: (customer) => post(completionOf(UNKNOWN_TRANSACTION), customer, CLIENT),
  },
  {
    name: 'closed',
    about: 'POST /v1/api/oauth/<id>/onboard: a transaction that a later one has closed',
    status: 410,
    problem: 'transaction_expired',
    request: (customer) => post(completionOf(customer.closedTransaction), customer, CLIENT),
  },
  {
    name: 'watch',
    about: 'GET /v1/api/oauth/<id>/test: the state of the test of the open transaction',
    status: 200,
    request: ({ token, openTransaction }) => ({
      method: 'GET',
      path: `/v1/api/oauth/${openTransaction}/test`,
      headers: { authorization: `Bearer ${token}` },
    }),
  },
  {
    name: 'me',
    about: 'GET /v1/me: who is signed in',
    isEveryRequest: true,
    status: 200,
    request: ({ cookie }) => ({ method: 'GET', path: '/v1/me', headers: { cookie } }),
  },
]

/** Sends one request and checks that the response is the one to be measured. */
export async function checkEndpoint(url: string, endpoint: Endpoint, customer: Customer): Promise<void> {
  const { method, path, headers, body } = endpoint.request(customer)
  const response = await fetch(`${url}${path}`, {
    method,
    ...(headers && { headers }),
    ...(body === undefined ? {} : { body }),
  })
  const problem = (await response.json()) as { readonly code?: string }
  if (response.status === endpoint.status && problem.code === endpoint.problem) return
  throw new Error(`${method} ${path} responded with ${response.status} ${problem.code ?? ''}, not ${endpoint.status}`)
}
