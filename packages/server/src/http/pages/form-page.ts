import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { documentHeaders, formPolicy } from '../security-headers.js'
import type { Html } from './html.js'
import { FORM_STYLE, framePage } from './page.js'

const STYLE_HASH = `sha256-${createHash('sha256').update(FORM_STYLE).digest('base64')}`

/** A page on which people fill in or press something. */
export interface FormPage {
  readonly title: string
  readonly body: Html
  /** Where its forms may lead, beside this host: browsers apply it to redirects, too. */
  readonly leadsTo?: readonly string[]
}

/**
 * Renders it.
 *
 * @example
 * renderFormPage({ title: 'Sign in', body: html`<form>…</form>` })
 */
export function renderFormPage({ title, body }: FormPage): string {
  return framePage({ title, style: FORM_STYLE, body })
}

/** Sends it. Its own host is told where its forms come from, by browsers that say nothing better. */
export function sendFormPage(reply: FastifyReply, status: number, page: FormPage): FastifyReply {
  return reply
    .code(status)
    .headers({
      ...documentHeaders(formPolicy(STYLE_HASH, ["'self'", ...(page.leadsTo ?? [])])),
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(renderFormPage(page))
}
