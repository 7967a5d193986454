import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Domain, ReplacementRequest, Role } from '@omen/server/api'
import { CURRENT, makeOrganization, NEXT, pendingDomain, type TestOrganization } from './organization.js'
import { problem, send, sendFile, type TestResponse } from './service.js'

export interface AppRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
}

export interface TestAppService {
  /** Without a slash at the end. */
  readonly url: string
  readonly organization: TestOrganization
  /** Every request that changes something. */
  readonly changes: AppRequest[]
  /** Whether the browser has a session. The sign-in URL starts one. */
  signedIn: boolean
  /** Sets the response to the next request with this method and path. */
  next(request: string, response: TestResponse): void
  close(): Promise<void>
}

/**
 * The API of the app in memory, with the pages as the real server sends them.
 *
 * @example
 * const service = await startAppService(folder)
 * service.next('GET /v1/sessions', problem(503, 'unavailable', 'The database is not available.'))
 */
export async function startAppService(folder: string): Promise<TestAppService> {
  const organization = makeOrganization()
  const changes: AppRequest[] = []
  const planned = new Map<string, TestResponse[]>()
  const state = { signedIn: true }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', url)
    if (path === '/v1/auth/enter') {
      state.signedIn = true
      response.writeHead(303, { location: query.get('to') ?? '/' }).end()
      return
    }
    if (!path.startsWith('/v1/'))
      return sendFile(response, folder, path.includes('.') ? path : path === '/setup' ? '/' : '/app.html')
    const sent = await text(request)
    const received = { method: request.method ?? '', path, query, body: sent === '' ? {} : JSON.parse(sent) }
    if (received.method !== 'GET') changes.push(received)
    const reply =
      planned.get(`${received.method} ${path}`)?.shift() ?? defaultResponse(received, organization, state, url)
    await reply.after
    send(response, reply)
  }

  return {
    url,
    organization,
    changes,
    next: (key, response) => void planned.set(key, [...(planned.get(key) ?? []), response]),
    get signedIn() {
      return state.signedIn
    },
    set signedIn(value) {
      state.signedIn = value
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const ok = (body: unknown, status = 200): TestResponse => ({ status, body })
const NOTHING: TestResponse = { status: 204 }

type Handle = (request: AppRequest, organization: TestOrganization, url: string) => TestResponse

/** Requests that need no session, then those of signed-in users, then those of administrators. `*` matches one path segment. */
const PUBLIC: Readonly<Record<string, Handle>> = {
  'GET /v1/setup.json': (_, __, url) => ok({ base_url: url, app_url: url, test_sign_in: true }),
  'GET /v1/rules/latest': (_, { tool }) => ok({ tool }),
  'GET /v1/catalogue': (_, { rules }) => ok({ version: '1.4.0', private_version: '2.0.0', rules }),
  'GET /v1/catalogue/*': ({ path }, { rules }) => {
    const rule = rules.find(({ id }) => id === lastOf(path))
    return rule === undefined ? problem(404, 'not_found', 'There is no rule with this identifier.') : ok(rule)
  },
}

const PRIVATE: Readonly<Record<string, Handle>> = {
  'GET /v1/me': () => ok({ email: 'alice@acme.com', name: 'Alice', org: { name: 'Acme Inc.', domain: 'acme.com' } }),
  'GET /v1/org': (_, { role }) =>
    ok({ name: 'Acme Inc.', domain: 'acme.com', role, user_id: 'alice', domains: ['acme.com'] }),
  'GET /v1/sessions': (_, { sessions }) => ok({ sessions }),
  'DELETE /v1/sessions/*': ({ path }, organization) => {
    organization.sessions = organization.sessions.filter(({ id }) => id !== lastOf(path))
    return ok({ status: 'ended' })
  },
  'POST /v1/auth/logout': (_, __, url) => ok({ status: 'signed_out', logout_url: `${url}/omen.svg` }),
}

const ADMINISTRATION: Readonly<Record<string, Handle>> = {
  'GET /v1/org/members': (_, { members }) => ok({ members }),
  'PATCH /v1/org/members/*': ({ path, body }, organization) => {
    const role = body.role as Role
    organization.members = organization.members.map((member) =>
      member.id === lastOf(path) ? { ...member, role } : member,
    )
    return ok(organization.members.find(({ id }) => id === lastOf(path)))
  },
  'DELETE /v1/org/members/*': ({ path }, organization) => {
    organization.members = organization.members.filter(({ id }) => id !== lastOf(path))
    return NOTHING
  },
  'GET /v1/org/domains': (_, { domains }) => ok({ domains }),
  'POST /v1/org/domains': ({ body }, organization) => {
    const domain = pendingDomain(String(body.domain))
    organization.domains = [...organization.domains, domain]
    return ok(domain, 201)
  },
  'POST /v1/org/domains/*/check': ({ path }, organization) => {
    const name = path.split('/').at(-2)!
    const verified: Domain = { ...pendingDomain(name), status: 'verified', verified_at: '2026-12-01T10:00:00.000Z' }
    organization.domains = organization.domains.map((domain) => (domain.domain === name ? verified : domain))
    return ok(verified)
  },
  'DELETE /v1/org/domains/*': ({ path }, organization) => {
    organization.domains = organization.domains.filter(({ domain }) => domain !== lastOf(path))
    return NOTHING
  },
  'GET /v1/org/connection': (_, { next }) => ok({ current: CURRENT, next }),
  'POST /v1/org/connection': ({ body }, organization) => {
    const { well_known_url = NEXT.well_known_url, client_id = NEXT.client_id } = body as Partial<ReplacementRequest>
    organization.next = { ...NEXT, well_known_url, client_id }
    return ok({ next: organization.next }, 201)
  },
  // The redirect to the identity provider and back, which always succeeds.
  'POST /v1/org/connection/test': (_, organization, url) => {
    organization.next = { ...(organization.next ?? NEXT), status: 'passed', tested_as: 'alice@acme.com' }
    return ok({ url: `${url}/organization/connection` })
  },
  'POST /v1/org/connection/switch': (_, organization) => {
    organization.next = null
    return ok({ current: { ...CURRENT, client_id: 'switched' }, next: null })
  },
  'DELETE /v1/org/connection/next': (_, organization) => {
    organization.next = null
    return NOTHING
  },
  'GET /v1/org/tokens': (_, { tokens }) => ok({ tokens }),
  'POST /v1/org/tokens': ({ body }, organization) => {
    const token = { ...organization.tokens[0], id: 'token-2', ...body }
    organization.tokens = [...organization.tokens, token]
    return ok({ ...token, token: 'omen_the-token-itself' }, 201)
  },
  'DELETE /v1/org/tokens/*': ({ path }, organization) => {
    organization.tokens = organization.tokens.filter(({ id }) => id !== lastOf(path))
    return NOTHING
  },
  'GET /v1/org/audit': ({ query }) => ok(auditPage(Number(query.get('before') ?? 70), query.get('action'))),
}

function auditPage(before: number, action: string | null) {
  const ids = Array.from({ length: Math.min(50, before - 1) }, (_, at) => before - 1 - at)
  const records = ids.map((id) => ({
    id: String(id),
    at: '2026-12-01T08:00:00.000Z',
    action: action ?? 'user.signed_in',
    actor: 'user alice',
    address: '203.0.113.7',
    detail: { email: 'alice@acme.com', number: id },
  }))
  return { records, next: before > 51 ? String(before - 50) : null }
}

const lastOf = (path: string) => decodeURIComponent(path.split('/').at(-1)!)

function defaultResponse(
  request: AppRequest,
  organization: TestOrganization,
  { signedIn }: { signedIn: boolean },
  url: string,
): TestResponse {
  const find = (table: Readonly<Record<string, Handle>>) =>
    Object.entries(table).find(([pattern]) =>
      new RegExp(`^${pattern.replaceAll('*', '[^/]+')}$`).test(`${request.method} ${request.path}`),
    )?.[1]
  const open = find(PUBLIC)
  if (open !== undefined) return open(request, organization, url)
  if (!signedIn) return problem(401, 'missing_session', 'Nobody is signed in here.')
  const own = find(PRIVATE)
  if (own !== undefined) return own(request, organization, url)
  const handle = find(ADMINISTRATION)
  if (handle === undefined) return problem(404, 'not_found', 'There is nothing at this address.')
  if (organization.role !== 'administrator') return problem(403, 'not_administrator', 'Ask an administrator.')
  return handle(request, organization, url)
}
