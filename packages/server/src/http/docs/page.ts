import { createHash } from 'node:crypto'
import { PROBLEMS } from '../../problem.js'
import { type Html, html, prose } from '../pages/html.js'
import { PROBLEM_CODES } from '../schemas/problem.js'
import { PROBLEM_GUIDE } from '../schemas/problem-guide.js'
import type { ApiDocument } from './document.js'
import { renderOperation } from './operation.js'

export interface DocsPage {
  readonly html: string
  /** The hash of the style sheet, for the content security policy. */
  readonly styleHash: string
}

/**
 * Renders the documentation of the API from its OpenAPI document. The page is self-contained: no script, and nothing loaded from
 * elsewhere. Each problem code has a section, which is the `type` of the problem.
 *
 * @example
 * const { html, styleHash } = renderDocs(app.swagger())
 */
export function renderDocs(document: ApiDocument): DocsPage {
  const { info, tags } = document
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}: the API</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><h1>${info.title}</h1><p>${prose(info.description)}</p></header>
<nav aria-label="Contents">${renderContents(document)}</nav>
<main id="content">
${tags.map((tag) => renderTag(document, tag))}
<h2 id="problems">Problems</h2>
<p>Errors have the type <code>application/problem+json</code>. The <code>code</code> of a problem is stable; its <code>type</code> is the address of a section below.</p>
${PROBLEM_CODES.map(renderProblem)}
</main>
<footer><p>Version ${info.version}. For programs: <a href="/v1/openapi.json">OpenAPI 3.1</a>.</p></footer>
</body>
</html>
`
  return { html: page.html, styleHash: `sha256-${createHash('sha256').update(STYLE).digest('base64')}` }
}

function operationsOf(document: ApiDocument, tag: string) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.tags.includes(tag) ? [{ method, path, operation }] : [],
    ),
  )
}

function renderContents(document: ApiDocument): Html {
  const operations = document.tags.flatMap(({ name }) => operationsOf(document, name))
  return html`<ul>
${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>\n`)}<li><a href="#problems">Problems</a></li>
</ul>`
}

function renderTag(document: ApiDocument, { name, description }: ApiDocument['tags'][number]): Html {
  const operations = operationsOf(document, name)
  return html`<h2 id="${name}">${name[0]!.toUpperCase() + name.slice(1)}</h2>
<p>${description}</p>
${operations.map(({ method, path, operation }) => renderOperation(document, method, path, operation))}`
}

function renderProblem(code: (typeof PROBLEM_CODES)[number]): Html {
  const { status, title } = PROBLEMS[code]
  return html`
<section id="${code}" aria-labelledby="${code}-title">
<h3 id="${code}-title"><code>${code}</code> (${status})</h3>
<p><strong>${title}.</strong> ${prose(PROBLEM_GUIDE[code].about)}</p>
</section>`
}

/** Readable on a phone and in print, light and dark. The contrast of text is at least 7 : 1. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #f3f4f6; --line: #c5cad1; --link: #0b4a9e; --mark: #14532d }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --paper: #15181c; --soft: #20252b; --line: #474e57; --link: #9ecbff; --mark: #a7e3bb }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
header, main, nav, footer { max-width: 52rem; margin: 0 auto; padding: 0 1rem }
header { padding-top: 2rem }
h1 { font-size: 1.8rem; margin: 0 }
h2 { margin: 2.5rem 0 0.5rem; border-bottom: 1px solid var(--line) }
h3 { margin: 2rem 0 0.5rem }
h4 { margin: 1.25rem 0 0.25rem }
a { color: var(--link) }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
code, pre { font: 0.9em/1.5 ui-monospace, monospace }
pre { background: var(--soft); padding: 0.75rem 1rem; overflow: auto; border-radius: 6px }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line) }
.operation { background: var(--soft); padding: 0.5rem 1rem; border-radius: 6px; overflow-wrap: anywhere }
.method { font-weight: 700; color: var(--mark) }
.skip { position: absolute; left: -999rem }
.skip:focus { position: static }
footer { padding: 2rem 1rem 3rem }
`
