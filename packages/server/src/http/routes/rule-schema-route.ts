import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../problem.js'
import { RULE_SCHEMA } from '../schemas/release-operations.js'
import { sendJson } from '../send-json.js'
import type { Described } from './release-routes.js'

/** Where the schema may be: packed beside the program, or in the catalogue of a checkout. */
const PLACES = ['../../rule.schema.json', '../../../../../rules/rule.schema.json']

/** It changes with a version of the service. */
const FRESH_SECONDS = 3600

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
      return sendJson(request, reply, schema, { isPrivate: false, seconds: FRESH_SECONDS })
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
