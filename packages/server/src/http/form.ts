import type { FastifyReply, FastifyRequest } from 'fastify'

/** A type that cannot be read would be refused before anybody looks at the body: forms are read whatever it says. */
export async function ignoreType(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
  delete request.raw.headers['content-type']
}

/**
 * The fields of a body: of a form, or of a JSON object whose values are texts. What is neither has no fields.
 *
 * @example
 * readForm(request).get('email') // 'alice@acme.com'
 */
export function readForm({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : ''
  if (!/^\s*\{/.test(text)) return new URLSearchParams(text.trim())
  try {
    const fields = Object.entries(JSON.parse(text) as object)
    return new URLSearchParams(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
  } catch {
    return new URLSearchParams()
  }
}

/** The query as it was sent: of a parameter that is there twice, both are seen. */
export function readQuery({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): URLSearchParams {
  const start = originalUrl.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start + 1))
}

/** A field that is there and not blank. */
export function fieldOf(fields: URLSearchParams, name: string): string | undefined {
  const value = fields.get(name)?.trim()
  return value === undefined || value === '' ? undefined : value
}
