import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.js'
import { Problem } from '../../problem.js'
import type { Releases } from '../../releases/releases.js'
import type { Settings } from '../../settings/settings.js'
import type { Metrics } from '../observing/metrics.js'
import { allow, createLimiter } from '../rate-limit.js'
import { callerOf, subscriberOf } from '../requester/address.js'
import { viewerOf } from '../requester/release-reader.js'
import { HISTORY, KEYS, LATEST, RULE_SCHEMA, RULES_FILE, TOOL_FILE } from '../schemas/release-operations.js'
import { sendFile } from '../sending/send-file.js'
import { sendJson } from '../sending/send-json.js'
import { addPublishRoute } from './publish-route.js'

/** A new release is seen by everybody after this many seconds; a cache in front takes the load of all who look. */
const FRESH_SECONDS = 60

const MOST_ON_A_PAGE = 100
const ON_A_PAGE = '20'

/** The tool asks on the host of sign-in; the app, on its own, shows where the tool is to be had. */
const HOSTS = ['base', 'app'] as const

export interface ReleaseRoutesOptions {
  readonly releases: Releases
  readonly settings: Pick<Settings, 'baseUrl' | 'limitDownloads'>
  readonly clock: Clock
  readonly metrics: Pick<Metrics, 'download'>
}

/** What the tool asks: what is newest, and the files themselves. */
export async function addReleaseRoutes(app: FastifyInstance, options: ReleaseRoutesOptions): Promise<void> {
  const { releases, settings, clock } = options
  const calls = createLimiter({ limit: settings.limitDownloads, clock })
  const common = {
    // What is documented is not validated by the framework: a bad value is told in words of its own.
    validatorCompiler: () => () => true,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      allow(calls, subscriberOf(callerOf(request).address), reply, 'checks and downloads')
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
      const viewer = await viewerOf(request, releases)
      const caching = { isPrivate: viewer !== undefined, seconds: FRESH_SECONDS }
      return sendJson(request, reply, await releases.latest(viewer), caching)
    },
  })

  app.get('/v1/rules', {
    ...described(HISTORY),
    handler: async (request, reply) => {
      const viewer = await viewerOf(request, releases)
      const caching = { isPrivate: viewer !== undefined, seconds: FRESH_SECONDS }
      return sendJson(request, reply, await releases.history(viewer, pageOf(request)), caching)
    },
  })

  app.get('/v1/rules/keys', {
    ...described(KEYS),
    handler: async (request, reply) => {
      const viewer = await viewerOf(request, releases)
      const caching = { isPrivate: viewer !== undefined, seconds: FRESH_SECONDS }
      return sendJson(request, reply, await releases.keys(viewer), caching)
    },
  })

  addRuleSchemaRoute(app, described)
  addFileRoute(app, 'rules', { ...options, route: described(RULES_FILE) })
  addFileRoute(app, 'tool', { ...options, route: described(TOOL_FILE) })
  await addPublishRoute(app, { releases, described })
}

/** Gives a route what all of them have, and describes it. */
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
    const viewer = await viewerOf(request, releases)
    const file = await releases.find(kind, name, viewer)
    if (file === undefined) {
      throw new Problem(
        'unknown_file',
        `There is no such file here, or it needs a token. What there is: ${settings.baseUrl}/v1/rules/latest.`,
      )
    }
    const isWanted = request.method === 'GET' && !/\.(sha256|sig)$/.test(name)
    const answer = sendFile(request, reply, file)
    if (isWanted && reply.statusCode < 300) metrics.download(file.isPrivate ? 'private' : kind)
    return answer
  }
  const url = `/v1/${kind}/:file`
  // The framework's own HEAD would read the file to its end.
  app.get(url, { ...route, exposeHeadRoute: false, handler })
  app.head(url, { ...route, schema: { hide: true }, handler })
}

/** Which page of the history is asked for. */
function pageOf({ query }: FastifyRequest): { readonly before: string | undefined; readonly limit: number } {
  const { limit = ON_A_PAGE, before } = query as Readonly<Record<string, unknown>>
  const errors = []
  const number = /^\d{1,3}$/.test(String(limit)) ? Number(limit) : 0
  if (number < 1 || number > MOST_ON_A_PAGE) {
    errors.push({ field: 'limit', message: `is a whole number from 1 to ${MOST_ON_A_PAGE}` })
  }
  if (before !== undefined && !(typeof before === 'string' && /^\d{1,18}$/.test(before))) {
    errors.push({ field: 'before', message: 'is not from the field next of an answer' })
  }
  if (errors.length === 0) return { before: before as string | undefined, limit: number }
  const list = errors.map(({ field, message }) => `${field} ${message}`).join('; ')
  throw new Problem('invalid_request', `Correct the address: ${list}.`, { errors })
}

/** Where the schema may be: packed beside the program, or in the catalogue of a checkout. */
const PLACES = ['../../rule.schema.json', '../../../../../rules/rule.schema.json']

/** It changes with a version of the service. */
const SCHEMA_SECONDS = 3600

/** `GET /v1/rules/schema.json`: what editors complete and check rule documents with. */
export function addRuleSchemaRoute(app: FastifyInstance, described: Described): void {
  let schema: unknown
  app.addHook('onReady', async () => {
    schema = await readSchema()
  })
  app.get('/v1/rules/schema.json', {
    ...described(RULE_SCHEMA),
    handler: async (request, reply) => {
      if (schema === undefined) throw new Problem('unknown_file', 'This service was installed without the schema.')
      return sendJson(request, reply, schema, { isPrivate: false, seconds: SCHEMA_SECONDS })
    },
  })
}

async function readSchema(): Promise<unknown> {
  for (const place of PLACES) {
    try {
      return JSON.parse(await readFile(fileURLToPath(new URL(place, import.meta.url)), 'utf8'))
    } catch {}
  }
  return undefined
}
