import '@fastify/swagger'
import Fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

interface Described {
  readonly paths: Record<string, Record<string, { responses: Record<string, { content?: Content }> }>>
  readonly components: { readonly schemas: Record<string, object> }
}

type Content = Record<string, { readonly schema: { readonly $ref: string } }>

/** Fails if a response does not match the OpenAPI document of the app. Every error must be a problem. */
export async function checkAgainstDocument(
  app: FastifyInstance,
  { method = 'GET', url = '/' }: InjectOptions,
  response: LightMyRequestResponse,
): Promise<void> {
  const document = app.swagger() as unknown as Described
  const status = String(response.statusCode)
  if (method === 'HEAD' || status === '204' || status === '304') return
  const type = String(response.headers['content-type']).split(';', 1)[0]!
  const content = operationOf(document, method, String(url))?.responses[status]?.content
  if (response.statusCode >= 400) expect(type).toBe('application/problem+json')
  else if (content === undefined) return
  const name = content?.[type]?.schema.$ref ?? '#/components/schemas/Problem'
  const errors = await errorsOf(document.components.schemas[name.split('/').at(-1)!]!, response.json())
  expect(errors, `${method} ${url} responds with ${status} ${response.body}`).toEqual([])
}

function operationOf({ paths }: Described, method: string, url: string) {
  const [path] = url.split('?', 1)
  const found = Object.keys(paths).find((template) => {
    const pattern = template.replace(/[.]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')
    return new RegExp(`^${pattern}$`).test(path!)
  })
  return found === undefined ? undefined : paths[found]![method.toLowerCase()]
}

type Validate = ((value: unknown) => boolean) & { readonly errors?: readonly unknown[] | null }

const validators = new WeakMap<object, Validate>()

/** The errors of a value that violates its JSON schema. */
export async function errorsOf(schema: object, value: unknown): Promise<readonly unknown[]> {
  const validate = validators.get(schema) ?? (await compile(schema))
  validators.set(schema, validate)
  return validate(value) ? [] : (validate.errors ?? ['not valid'])
}

/** The validator of Fastify. */
async function compile(schema: object): Promise<Validate> {
  const validator = Fastify({
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
  })
  let validate: unknown
  validator.get('/', async (request) => {
    validate = request.compileValidationSchema(schema as Record<string, unknown>)
    return {}
  })
  expect((await validator.inject('/')).statusCode).toBe(200)
  await validator.close()
  return validate as Validate
}
