import type { FastifyInstance } from 'fastify'
import type { ApiDocument } from '../docs/document.js'
import { renderDocs } from '../docs/page.js'
import { documentHeaders, stylePolicy } from '../security-headers.js'

/** The description changes only with a release. */
const CACHE = 'public, max-age=300'

/** The description of the API, for programs and for humans. */
export function addDocsRoutes(app: FastifyInstance): void {
  // Made once, after every route was added.
  let json = ''
  let page = { html: '', styleHash: '' }
  app.addHook('onReady', async () => {
    // The library has a wider type; a test checks the document.
    const document = app.swagger() as unknown as ApiDocument
    json = JSON.stringify(document)
    page = renderDocs(document)
  })

  app.get('/v1/openapi.json', {
    schema: { hide: true },
    handler: (_, reply) => reply.header('cache-control', CACHE).type('application/json; charset=utf-8').send(json),
  })

  app.get('/docs', {
    schema: { hide: true },
    handler: (_, reply) =>
      reply
        .header('cache-control', CACHE)
        .headers(documentHeaders(stylePolicy(page.styleHash)))
        .type('text/html; charset=utf-8')
        .send(page.html),
  })
}
