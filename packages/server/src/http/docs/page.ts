import { createHash } from 'node:crypto'
import { PROBLEMS } from '../../problem.js'
import { PROBLEM_CODES } from '../schemas/problem.js'
import { PROBLEM_GUIDE } from '../schemas/problem-guide.js'
import type { ApiDocument } from './document.js'
import { type Html, html, prose } from './html.js'
import { renderOperation } from './operation.js'
import { STYLE } from './style.js'

export interface DocsPage {
  readonly html: string
  /** What a policy must name to let the one style sheet of the page through. */
  readonly styleHash: string
}

/**
 * The page to read the API at, made from its OpenAPI document. It is whole in itself: one file, no script, nothing from elsewhere.
 * Each code of a problem is a section: the `type` of a problem leads there.
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
<a class="skip" href="#content">Skip to the content</a>
<header><h1>${info.title}</h1><p>${prose(info.description)}</p></header>
<nav aria-label="Contents">${renderContents(document)}</nav>
<main id="content">
${tags.map((tag) => renderTag(document, tag))}
<h2 id="problems">Problems</h2>
<p>An error is a document of type <code>application/problem+json</code>. Its <code>code</code> is stable; its <code>type</code> leads to a section below.</p>
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
  const calls = document.tags.flatMap(({ name }) => operationsOf(document, name))
  return html`<ul>
${calls.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>\n`)}<li><a href="#problems">Problems</a></li>
</ul>`
}

function renderTag(document: ApiDocument, { name, description }: ApiDocument['tags'][number]): Html {
  const calls = operationsOf(document, name)
  return html`<h2 id="${name}">${name[0]!.toUpperCase() + name.slice(1)}</h2>
<p>${description}</p>
${calls.map(({ method, path, operation }) => renderOperation(document, method, path, operation))}`
}

function renderProblem(code: (typeof PROBLEM_CODES)[number]): Html {
  const { status, title } = PROBLEMS[code]
  return html`
<section id="${code}" aria-labelledby="${code}-title">
<h3 id="${code}-title"><code>${code}</code> (${status})</h3>
<p><strong>${title}.</strong> ${prose(PROBLEM_GUIDE[code].about)}</p>
</section>`
}
