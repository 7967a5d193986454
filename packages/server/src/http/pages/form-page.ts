import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { type Html, html } from '../docs/html.js'
import { formPolicy } from '../security-headers.js'
import { FORM_STYLE } from './form-style.js'

const STYLE_HASH = `sha256-${createHash('sha256').update(FORM_STYLE).digest('base64')}`

/** A page on which people fill in or press something. */
export interface FormPage {
  readonly title: string
  readonly body: Html
  /** Where its forms may lead, beside this host: browsers apply it to redirects, too. */
  readonly leadsTo?: readonly string[]
}

/**
 * A page that is whole in itself: no script, nothing from elsewhere, and whatever is put into it is escaped.
 *
 * @example
 * renderFormPage({ title: 'Sign in', body: html`<form>…</form>` })
 */
export function renderFormPage({ title, body }: FormPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Omen</title>
<style>${{ html: FORM_STYLE }}</style>
</head>
<body>
<main>
<p class="brand">Omen</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html
}

/** Sends it. Its own host is told where its forms come from, by browsers that say nothing better. */
export function sendFormPage(reply: FastifyReply, status: number, page: FormPage): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': formPolicy(STYLE_HASH, ["'self'", ...(page.leadsTo ?? [])]),
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(renderFormPage(page))
}
