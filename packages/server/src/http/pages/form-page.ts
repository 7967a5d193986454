import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { documentHeaders, formPolicy } from '../security-headers.js'
import type { Html } from './html.js'
import { FORM_STYLE, renderPage } from './page.js'

const STYLE_HASH = `sha256-${createHash('sha256').update(FORM_STYLE).digest('base64')}`

/** A page with a form. */
export interface FormPage {
  readonly title: string
  readonly body: Html
  /** Sources to which its forms may be sent, besides this host: browsers apply them to redirects, too. */
  readonly formTargets?: readonly string[]
}

/**
 * Renders a page with a form.
 *
 * @example
 * renderFormPage({ title: 'Sign in', body: html`<form>…</form>` })
 */
export function renderFormPage({ title, body }: FormPage): string {
  return renderPage({ title, style: FORM_STYLE, body })
}

/** Sends a page with a form. Browsers without `Sec-Fetch-Site` send the origin of its forms to this host. */
export function sendFormPage(reply: FastifyReply, status: number, page: FormPage): FastifyReply {
  return reply
    .code(status)
    .headers({
      ...documentHeaders(formPolicy(STYLE_HASH, ["'self'", ...(page.formTargets ?? [])])),
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(renderFormPage(page))
}
