import { type Html, html } from '../docs/html.js'

/** What stands in the frame of a page. */
export interface Framed {
  readonly title: string
  readonly style: string
  readonly tone?: string
  readonly body: Html
}

/**
 * A page that is whole in itself: no script, nothing from elsewhere, and whatever is put into it is escaped.
 *
 * @example
 * framePage({ title: 'Sign in', style: FORM_STYLE, body: html`<form>…</form>` })
 */
export function framePage({ title, style, tone = '', body }: Framed): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Omen</title>
<style>${{ html: style }}</style>
</head>
<body>
<main class="${tone}">
<p class="brand">Omen</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html
}
