import { type Html, html } from './html.js'

/** The content of a page. */
export interface PageContent {
  readonly title: string
  readonly style: string
  readonly tone?: string
  readonly body: Html
}

/**
 * Renders a self-contained page: no script, and nothing loaded from elsewhere.
 *
 * @example
 * renderPage({ title: 'Sign in', style: FORM_STYLE, body: html`<form>…</form>` })
 */
export function renderPage({ title, style, tone = '', body }: PageContent): string {
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

/** The style of a page of a few sentences, like the set-up page. The contrast of text is at least 4.5 : 1. */
export const NOTICE_STYLE = `
:root { color-scheme: light dark; --ground: #f4f3f7; --card: #fff; --line: #dedbe8; --ink: #1c1928; --soft: #5a556b; --accent: #4b3bc4; --on-accent: #fff; --good: #17693f; --bad: #a8201a }
@media (prefers-color-scheme: dark) {
  :root { --ground: #121019; --card: #1b1825; --line: #332e44; --ink: #edeaf6; --soft: #aaa4bd; --accent: #a99dff; --on-accent: #17122e; --good: #6fd6a0; --bad: #ff9d95 }
}
* { box-sizing: border-box }
body { margin: 0; padding: clamp(1rem, 6vw, 4rem) 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
main { max-width: 38rem; margin: 0 auto; padding: clamp(1.25rem, 4vw, 2.5rem); background: var(--card); border: 1px solid var(--line); border-radius: 16px }
.brand { margin: 0 0 1rem; color: var(--soft); font-weight: 650 }
h1 { margin: 0 0 1rem; font-size: clamp(1.5rem, 1.2rem + 1.6vw, 1.9rem); line-height: 1.2 }
.good h1 { color: var(--good) }
.bad h1 { color: var(--bad) }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
.reference { margin: 1.5rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.92rem }
a { color: inherit; font-weight: 600 }
code { font: 0.92em ui-monospace, monospace }
`

/** The style of pages with forms. Inputs and buttons are at least 44 px high. */
export const FORM_STYLE = `${NOTICE_STYLE}
form { margin: 0 }
label { display: block; margin: 0 0 0.4rem; font-weight: 600 }
input { width: 100%; min-height: 2.9rem; margin: 0 0 1rem; padding: 0.5rem 0.8rem; border: 1px solid var(--soft); border-radius: 10px; background: var(--card); color: var(--ink); font: inherit }
::placeholder { color: var(--soft); opacity: 1 }
.code input { font: 1.4rem ui-monospace, monospace; letter-spacing: 0.12em; text-transform: uppercase }
button { min-height: 2.9rem; padding: 0.5rem 1.3rem; border: 1px solid var(--accent); border-radius: 10px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; cursor: pointer }
button.quiet { border-color: var(--soft); background: transparent; color: var(--ink) }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid #7a5cf0; outline-offset: 2px }
.row { display: flex; flex-wrap: wrap; gap: 0.8rem }
.error { color: var(--bad); font-weight: 600 }
.soft { color: var(--soft); font-size: 0.92rem }
ul { margin: 0 0 1.5rem; padding: 0; list-style: none }
li { padding: 1rem 0; border-top: 1px solid var(--line) }
li p { margin: 0 0 0.6rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.4rem 1rem; margin: 0 0 1.5rem }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
`
