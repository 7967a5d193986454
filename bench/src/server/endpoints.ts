import type { Customer } from './customers.js'
import type { HttpRequest } from './load.js'

/** A call of the service whose speed is measured. Each leaves the state as it was. */
export interface Endpoint {
  readonly name: string
  readonly about: string
  readonly status: number
  /** The least that it reaches of the rate of the bare route. */
  readonly rateToBare: number
  /** The code of the problem that is the answer; none for an answer that is a success. */
  readonly problem?: string
  request(customer: Customer): HttpRequest
}

const CLIENT = JSON.stringify({ client_id: 'omen', client_secret: 'a secret that is tried nowhere' })
const NOBODYS_CODE = '000000-000000'
/** Well-formed: it has to be looked for. */
const NOBODYS_TRANSACTION = '1111111111111111111111'

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
    rateToBare: 0.6,
    status: 200,
    request: ({ code }) => ({ method: 'GET', path: `/v1/auth/validate?code=${code}` }),
  },
  {
    name: 'guess',
    about: 'GET /v1/auth/validate: a code that nobody has',
    rateToBare: 0.6,
    status: 401,
    problem: 'invalid_code',
    request: () => ({ method: 'GET', path: `/v1/auth/validate?code=${NOBODYS_CODE}` }),
  },
  {
    name: 'repeat',
    about: 'POST /v1/api/oauth: the request of the open transaction, again',
    rateToBare: 0.6,
    status: 200,
    request: (customer) => post('/v1/api/oauth', customer, customer.connection),
  },
  {
    name: 'refuse',
    about: 'POST /v1/api/oauth: a good token, a field missing',
    rateToBare: 0.6,
    status: 422,
    problem: 'invalid_request',
    request: (customer) => post('/v1/api/oauth', customer, '{"domain":"example.com"}'),
  },
  {
    name: 'unknown',
    about: 'POST /v1/api/oauth/<id>/onboard: a transaction that nobody has',
    rateToBare: 0.6,
    status: 404,
    problem: 'unknown_transaction',
    request: (customer) => post(completionOf(NOBODYS_TRANSACTION), customer, CLIENT),
  },
  {
    name: 'closed',
    about: 'POST /v1/api/oauth/<id>/onboard: a transaction that a later one has closed',
    rateToBare: 0.6,
    status: 410,
    problem: 'transaction_expired',
    request: (customer) => post(completionOf(customer.closedTransaction), customer, CLIENT),
  },
  {
    name: 'watch',
    about: 'GET /v1/api/oauth/<id>/test: how the test of the open transaction stands',
    rateToBare: 0.6,
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
    rateToBare: 0.7,
    status: 200,
    request: ({ cookie }) => ({ method: 'GET', path: '/v1/me', headers: { cookie } }),
  },
]

/** Sends one request and looks whether the answer is what is to be measured. */
export async function checkEndpoint(url: string, endpoint: Endpoint, customer: Customer): Promise<void> {
  const { method, path, headers, body } = endpoint.request(customer)
  const response = await fetch(`${url}${path}`, {
    method,
    ...(headers && { headers }),
    ...(body === undefined ? {} : { body }),
  })
  const answer = (await response.json()) as { readonly code?: string }
  if (response.status === endpoint.status && answer.code === endpoint.problem) return
  throw new Error(`${method} ${path} answered ${response.status} ${answer.code ?? ''}, not ${endpoint.status}`)
}
