import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.js'
import { Problem } from '../../problem.js'
import type { Releases } from '../../releases/releases.js'
import type { Settings } from '../../settings/settings.js'
import type { Metrics } from '../observing/metrics.js'
import { allow, createLimiter } from '../rate-limit.js'
import { requesterOf, subscriberOf } from '../requester/address.js'
import { findReleaseReader } from '../requester/release-reader.js'
import { HISTORY, KEYS, LATEST, RULE_SCHEMA, RULES_FILE, TOOL_FILE } from '../schemas/release-operations.js'
import { sendFile } from '../sending/send-file.js'
import { sendJson } from '../sending/send-json.js'
import { addPublishRoute } from './publish-route.js'

/** Seconds after which every client sees a new release. A cache in front of the service answers most requests. */
const FRESH_SECONDS = 60

const LARGEST_PAGE = 100
const DEFAULT_PAGE = '20'

/** The tool uses the host of sign-in; the app shows the downloads on its own host. */
const HOSTS = ['base', 'app'] as const

export interface ReleaseRoutesOptions {
  readonly releases: Releases
  readonly settings: Pick<Settings, 'baseUrl' | 'limitDownloads'>
  readonly clock: Clock
  readonly metrics: Pick<Metrics, 'download'>
}

/** The routes of releases: the newest ones, the history, the keys and the files. */
export async function addReleaseRoutes(app: FastifyInstance, options: ReleaseRoutesOptions): Promise<void> {
  const { releases, settings, clock } = options
  const calls = createLimiter({ limit: settings.limitDownloads, clock })
  const common = {
    // The schema is only documentation: the handler reports a bad value with its own message.
    validatorCompiler: () => () => true,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      allow(calls, subscriberOf(requesterOf(request).address), reply, 'checks for updates and downloads')
    },
  }
  const described = <S extends object>({ schema, problems }: { schema: S; problems: readonly Problem['code'][] }) => ({
    ...common,
    config: { host: HOSTS, problems },
    schema: { ...schema, servers: [{ url: settings.baseUrl }] },
  })

  app.get('/v1/rules/latest', {
    ...described(LATEST),
    handler: async (request, reply) => {
      const reader = await findReleaseReader(request, releases)
      const caching = { isPrivate: reader !== undefined, seconds: FRESH_SECONDS }
      return sendJson(request, reply, await releases.latest(reader), caching)
    },
  })

  app.get('/v1/rules', {
    ...described(HISTORY),
    handler: async (request, reply) => {
      const reader = await findReleaseReader(request, releases)
      const caching = { isPrivate: reader !== undefined, seconds: FRESH_SECONDS }
      return sendJson(request, reply, await releases.history(reader, pageOf(request)), caching)
    },
  })

  app.get('/v1/rules/keys', {
    ...described(KEYS),
    handler: async (request, reply) => {
      const reader = await findReleaseReader(request, releases)
      const caching = { isPrivate: reader !== undefined, seconds: FRESH_SECONDS }
      return sendJson(request, reply, await releases.keys(reader), caching)
    },
  })

  addRuleSchemaRoute(app, described)
  addFileRoute(app, 'rules', { ...options, route: described(RULES_FILE) })
  addFileRoute(app, 'tool', { ...options, route: described(TOOL_FILE) })
  await addPublishRoute(app, { releases, described })
}

/** The options that all routes of releases share, with their description. */
export type Described = <S extends object>(operation: {
  schema: S
  problems: readonly Problem['code'][]
}) => { readonly schema: S & object }

function addFileRoute(
  app: FastifyInstance,
  kind: 'rules' | 'tool',
  { releases, metrics, settings, route }: ReleaseRoutesOptions & { readonly route: { readonly schema: object } },
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { file: name } = request.params as { readonly file: string }
    const reader = await findReleaseReader(request, releases)
    const file = await releases.find(kind, name, reader)
    if (file === undefined) {
      throw new Problem(
        'unknown_file',
        `There is no such file, or it needs a token. See ${settings.baseUrl}/v1/rules/latest.`,
      )
    }
    const isDownload = request.method === 'GET' && !/\.(sha256|sig)$/.test(name)
    const response = sendFile(request, reply, file)
    if (isDownload && reply.statusCode < 300) metrics.download(file.isPrivate ? 'private' : kind)
    return response
  }
  const url = `/v1/${kind}/:file`
  // Fastify's own HEAD route would read the whole file.
  app.get(url, { ...route, exposeHeadRoute: false, handler })
  app.head(url, { ...route, schema: { hide: true }, handler })
}

/** The requested page of the history. */
function pageOf({ query }: FastifyRequest): { readonly before: string | undefined; readonly limit: number } {
  const { limit = DEFAULT_PAGE, before } = query as Readonly<Record<string, unknown>>
  const errors = []
  const number = /^\d{1,3}$/.test(String(limit)) ? Number(limit) : 0
  if (number < 1 || number > LARGEST_PAGE) {
    errors.push({ field: 'limit', message: `must be a whole number from 1 to ${LARGEST_PAGE}` })
  }
  if (before !== undefined && !(typeof before === 'string' && /^\d{1,18}$/.test(before))) {
    errors.push({ field: 'before', message: 'must be a value of the field next' })
  }
  if (errors.length === 0) return { before: before as string | undefined, limit: number }
  const list = errors.map(({ field, message }) => `${field} ${message}`).join('; ')
  throw new Problem('invalid_request', `Correct the address: ${list}.`, { errors })
}

/** The schema, beside the built program or in a checkout. */
const SCHEMA_FILES = ['../../rule.schema.json', '../../../../../rules/rule.schema.json']

/** The schema changes only with a version of the service. */
const SCHEMA_SECONDS = 3600

/** `GET /v1/rules/schema.json`: for editors that complete and check rule documents. */
export function addRuleSchemaRoute(app: FastifyInstance, described: Described): void {
  let schema: unknown
  app.addHook('onReady', async () => {
    schema = await readSchema()
  })
  app.get('/v1/rules/schema.json', {
    ...described(RULE_SCHEMA),
    handler: async (request, reply) => {
      if (schema === undefined) throw new Problem('unknown_file', 'This service is installed without the schema.')
      return sendJson(request, reply, schema, { isPrivate: false, seconds: SCHEMA_SECONDS })
    },
  })
}

async function readSchema(): Promise<unknown> {
  for (const place of SCHEMA_FILES) {
    try {
      return JSON.parse(await readFile(fileURLToPath(new URL(place, import.meta.url)), 'utf8'))
    } catch {}
  }
  return undefined
}
