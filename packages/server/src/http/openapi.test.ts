import { describe, expect, test } from 'vitest'
import { BEARER, startApp, THREE_HOSTS, useApp } from '../../test/http/app-under-test.js'
import { errorsOf } from '../../test/http/check-response.js'
import { PROBLEMS } from '../problem.js'
import { MESSAGES } from './openapi.js'
import { PATTERN_MESSAGES } from './schemas/schema.js'

type Node = { readonly [key: string]: unknown }

/** Every object in a document, with the keys that lead to it. */
function* nodes(value: unknown, path: readonly string[] = []): Generator<readonly [readonly string[], Node]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Node]
  for (const [key, part] of Object.entries(value)) yield* nodes(part, [...path, key])
}

const OPERATION = {
  type: 'object',
  required: ['operationId', 'summary', 'tags', 'responses'],
  additionalProperties: false,
  properties: {
    operationId: { type: 'string', pattern: '^[a-zA-Z]+$' },
    summary: { type: 'string' },
    description: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    security: { type: 'array' },
    servers: { type: 'array', minItems: 1, items: { type: 'object', required: ['url'] } },
    parameters: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'in', 'required', 'schema', 'description'],
        additionalProperties: false,
        properties: {
          name: { type: 'string' },
          in: { enum: ['query', 'path'] },
          required: { type: 'boolean' },
          schema: { type: 'object' },
          description: { type: 'string' },
          example: {},
        },
      },
    },
    requestBody: {
      type: 'object',
      required: ['content'],
      additionalProperties: false,
      properties: { required: { const: true }, content: { type: 'object' }, description: { type: 'string' } },
    },
    responses: {
      type: 'object',
      minProperties: 2,
      propertyNames: { pattern: '^[1-5]\\d\\d$' },
      additionalProperties: {
        type: 'object',
        // The bytes of a file have no content that could be described.
        required: ['description'],
        additionalProperties: false,
        properties: {
          description: { type: 'string', minLength: 1 },
          content: { type: 'object', minProperties: 1 },
          headers: { type: 'object', additionalProperties: { type: 'object', required: ['schema'] } },
        },
      },
    },
  },
}

const DOCUMENT = {
  type: 'object',
  required: ['openapi', 'info', 'servers', 'paths', 'components', 'tags'],
  additionalProperties: false,
  properties: {
    openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
    info: {
      type: 'object',
      required: ['title', 'version', 'description', 'license'],
      additionalProperties: false,
      properties: {
        title: { type: 'string' },
        version: { type: 'string' },
        description: { type: 'string' },
        license: { type: 'object', required: ['name', 'identifier'] },
      },
    },
    servers: { type: 'array', minItems: 1, items: { type: 'object', required: ['url'] } },
    tags: { type: 'array', items: { type: 'object', required: ['name', 'description'] } },
    paths: {
      type: 'object',
      propertyNames: { pattern: '^/' },
      additionalProperties: {
        type: 'object',
        propertyNames: { enum: ['get', 'post', 'put', 'patch', 'delete'] },
        additionalProperties: OPERATION,
      },
    },
    components: {
      type: 'object',
      required: ['schemas', 'securitySchemes'],
      additionalProperties: false,
      properties: {
        schemas: { type: 'object', propertyNames: { pattern: '^[A-Za-z]+$' } },
        securitySchemes: { type: 'object' },
      },
    },
  },
}

describe('/v1/openapi.json', () => {
  const app = useApp({ settings: THREE_HOSTS })
  const read = async () => (await app().send({ url: '/v1/openapi.json' })).json()

  test('is an OpenAPI 3.1 document', async () => {
    expect(await errorsOf(DOCUMENT, await read())).toEqual([])
  })

  test('has no broken references and no duplicate names', async () => {
    const document = await read()
    const ids = []
    for (const [path, node] of nodes(document)) {
      if (typeof node.$ref === 'string') {
        const target = node.$ref
          .slice(2)
          .split('/')
          .reduce((at: Node | undefined, key) => at?.[key] as Node | undefined, document)
        expect(target, `${path.join('/')} → ${node.$ref}`).toBeDefined()
      }
      if (typeof node.operationId === 'string') ids.push(node.operationId)
      expect(node).not.toHaveProperty('$id')
    }
    expect(new Set(ids).size).toBe(ids.length)
    for (const [path, methods] of Object.entries(
      document.paths as Record<string, Record<string, { parameters?: Node[] }>>,
    )) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [] } of Object.values(methods)) {
        expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath)
      }
    }
  })

  test('has every operation with its server', async () => {
    const { paths, servers } = await read()
    expect(Object.keys(paths)).toEqual([
      '/v1/auth/validate',
      '/v1/api/oauth',
      '/v1/api/oauth/{transaction_id}/onboard',
      '/v1/api/oauth/{transaction_id}/test',
      '/v1/setup.json',
      '/v1/auth/callback/{uuid}',
      '/v1/me',
      '/v1/sessions',
      '/v1/sessions/{id}',
      '/v1/auth/logout',
      '/v1/org',
      '/v1/org/audit',
      '/v1/org/members',
      '/v1/org/members/{id}',
      '/v1/org/domains',
      '/v1/org/domains/{domain}/check',
      '/v1/org/domains/{domain}',
      '/v1/org/tokens',
      '/v1/org/tokens/{id}',
      '/v1/org/connection',
      '/v1/org/connection/test',
      '/v1/org/connection/switch',
      '/v1/org/connection/next',
      '/v1/auth/device',
      '/v1/auth/token',
      '/v1/auth/revoke',
      '/v1/rules/latest',
      '/v1/rules',
      '/v1/rules/keys',
      '/v1/rules/schema.json',
      '/v1/rules/{file}',
      '/v1/tool/{file}',
      '/v1/catalogue',
      '/v1/catalogue/{id}',
      '/healthz',
      '/readyz',
    ])
    expect(servers).toEqual([{ url: THREE_HOSTS.onboardUrl }])
    expect(paths['/v1/api/oauth'].post.security).toEqual([{ onboardingToken: [] }])
    expect(paths['/v1/rules/{file}'].put.security).toEqual([{ releaseToken: [] }])
    expect(paths['/v1/rules/latest'].get.servers).toEqual([{ url: THREE_HOSTS.baseUrl }])
  })

  test('has every problem code with a valid example', async () => {
    const document = await read()
    const seen = new Set<string>()
    for (const [path, node] of nodes(document.paths)) {
      const problem = (node['application/problem+json'] ?? {}) as { examples?: Record<string, { value: Node }> }
      for (const [code, { value }] of Object.entries(problem.examples ?? {})) {
        seen.add(code)
        expect(await errorsOf(document.components.schemas.Problem, value)).toEqual([])
        expect(value).toMatchObject({
          code,
          status: Number(path.at(-2)),
          type: `${THREE_HOSTS.onboardUrl}/docs#${code}`,
        })
      }
    }
    expect([...seen].sort()).toEqual(Object.keys(PROBLEMS).sort())
  })

  test('has a valid example of every message', async () => {
    const { schemas } = (await read()).components
    for (const { $id, ...message } of MESSAGES) {
      const examples: readonly unknown[] = 'examples' in message ? message.examples : []
      expect(schemas[$id].examples ?? []).toEqual(examples)
      for (const example of examples) expect(await errorsOf(schemas[$id], example)).toEqual([])
    }
  })

  test('has a message for every pattern', async () => {
    for (const [, { pattern }] of nodes((await read()).components.schemas)) {
      if (typeof pattern === 'string') expect(PATTERN_MESSAGES).toHaveProperty([pattern])
    }
  })
})

test('has examples that are accepted as requests', async () => {
  const { send } = await startApp()
  const { paths, components } = (await send({ url: '/v1/openapi.json' })).json()
  for (const [path, name] of [
    ['/v1/api/oauth', 'ConnectionRequest'],
    ['/v1/api/oauth/{transaction_id}/onboard', 'CompletionRequest'],
  ] as const) {
    expect(paths[path].post.requestBody.content['application/json'].schema.$ref).toBe(`#/components/schemas/${name}`)
    const url = path.replace('{transaction_id}', paths[path].post.parameters?.[0].example)
    const payload = JSON.stringify(components.schemas[name].examples[0])
    expect((await send({ method: 'POST', url, headers: BEARER, payload })).statusCode).toBe(200)
  }
})
