import { CLIENT_ID, CLIENT_SECRET } from './identity-provider.js'

/** A response of the API. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

async function readResponse(response: Response): Promise<ApiResponse> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

/** Step 1: a code for a token. */
export async function exchange(url: string, code: string | undefined): Promise<ApiResponse> {
  const query = code === undefined ? '' : `?code=${encodeURIComponent(code)}`
  return readResponse(await fetch(`${url}/v1/auth/validate${query}`))
}

export interface PostOptions {
  readonly token?: string | undefined
  /** A string is sent unchanged. */
  readonly body: unknown
}

export async function post(url: string, { token, body }: PostOptions): Promise<ApiResponse> {
  return readResponse(
    await fetch(url, {
      method: 'POST',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
}

export interface Connection {
  readonly well_known_url: string
  readonly domain: string
  readonly org_name: string
}

/** Step 2: an identity provider for a transaction. */
export function open(url: string, token: string | undefined, body: unknown): Promise<ApiResponse> {
  return post(`${url}/v1/api/oauth`, { token, body })
}

export const GOOD_CLIENT = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } as const

/** Step 4: the client for a connection. */
export function complete(url: string, token: string | undefined, id: unknown, body: unknown): Promise<ApiResponse> {
  return post(`${url}/v1/api/oauth/${String(id)}/onboard`, { token, body })
}

/** Steps 1 and 2 for a code: its token and an open transaction. */
export async function begin(url: string, code: string, connection: Connection) {
  const token = String((await exchange(url, code)).body.token)
  const opened = await open(url, token, connection)
  return { token, id: String(opened.body.transaction_id), signInUri: String(opened.body.sign_in_uri), opened }
}
