import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { documentHeaders, stylePolicy } from '../security-headers.js'
import { html } from './html.js'
import { NOTICE_STYLE, renderPage } from './page.js'

/** A page of a few sentences. */
export interface Notice {
  readonly tone: 'good' | 'bad'
  readonly title: string
  readonly sentences: readonly string[]
  /** The request ID, to find the request in the log. */
  readonly reference?: string
  readonly link?: { readonly href: string; readonly text: string }
}

const HEADERS = documentHeaders(stylePolicy(`sha256-${createHash('sha256').update(NOTICE_STYLE).digest('base64')}`))

/**
 * Renders a notice.
 *
 * @example
 * renderNotice({ tone: 'good', title: 'It works.', sentences: ['alice@acme.com signed in.'] })
 */
export function renderNotice({ tone, title, sentences, reference, link }: Notice): string {
  const body = html`${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}${
    link === undefined ? '' : html`<p><a href="${link.href}">${link.text}</a></p>\n`
  }${
    reference === undefined ? '' : html`<p class="reference">Reference for the operator: <code>${reference}</code></p>`
  }`
  return renderPage({ title, style: NOTICE_STYLE, tone, body })
}

/** Sends a notice to a browser. */
export function sendNotice(reply: FastifyReply, status: number, notice: Notice): FastifyReply {
  return reply
    .code(status)
    .headers({ ...HEADERS, vary: 'Accept' })
    .type('text/html; charset=utf-8')
    .send(renderNotice(notice))
}

/** Whether the client accepts HTML: browsers do, programs do not. */
export function wantsPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '')
}
