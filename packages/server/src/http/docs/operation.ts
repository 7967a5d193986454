import { type Html, html, prose } from '../pages/html.js'
import { type ApiDocument, type Field, type Message, messageOf, type Operation, type Parameter } from './document.js'

/** The section of an operation: its parameters, its body, an example, its responses. */
export function renderOperation(document: ApiDocument, method: string, path: string, operation: Operation): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const body = requestBody && messageOf(document, requestBody.content)
  const [status = '', success] = Object.entries(responses).find(([code]) => code === '200' || code === '201') ?? []
  return html`
<section id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${summary}</h3>
<p class="operation"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></p>
${description === undefined ? [] : html`<p>${prose(description)}</p>`}
${parameters === undefined ? [] : renderParameters(parameters)}
${body === undefined ? [] : renderMessage('Body', body)}
<h4>Example</h4>
<pre tabindex="0"><code>${curl((operation.servers ?? document.servers)[0]!.url, method, path, operation, body)}</code></pre>
${success?.content === undefined ? [] : renderMessage(`Response (${status})`, messageOf(document, success.content))}
<h4>Problems</h4>
${renderProblems(responses)}
</section>`
}

function renderParameters(parameters: readonly Parameter[]): Html {
  return renderTable(
    ['Parameter', 'In', 'Description'],
    parameters.map(({ name, in: where, description }) => [
      html`<code>${name}</code>`,
      html`${where}`,
      prose(description),
    ]),
  )
}

function renderMessage(title: string, { description, properties, examples = [] }: Message): Html {
  const rows = Object.entries(properties).map(([name, field]) => [html`<code>${name}</code>`, describeField(field)])
  const example = JSON.stringify(examples[0], null, 2)
  return html`
<h4>${title}</h4>
<p>${prose(description)}</p>
${renderTable(['Field', 'Value'], rows)}
<pre tabindex="0"><code>${example}</code></pre>`
}

function describeField(field: Field): Html {
  const { description, maxLength, const: only, enum: choices } = field
  if (only !== undefined) return html`always <code>${only}</code>`
  if (choices !== undefined) return html`one of ${choices.map((choice) => html`<code>${choice}</code> `)}`
  const limit = maxLength === undefined ? '' : `, at most ${maxLength} characters`
  const types = (field.anyOf ?? [field]).flatMap(({ type }) => type)
  return html`${types.join(' or ')}${limit}. ${prose(description ?? '')}`
}

function renderProblems(responses: Operation['responses']): Html {
  const rows = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.keys(content['application/problem+json']?.examples ?? {}).map((code) => [
      html`${status}`,
      html`<a href="#${code}"><code>${code}</code></a>`,
    ]),
  )
  return renderTable(['Status', 'Code'], rows)
}

export function renderTable(head: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${head.join(', ')}"><table>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`
}

/** A command to paste, with shell variables for the values to fill in. */
function curl(server: string, method: string, path: string, operation: Operation, body: Message | undefined): string {
  const query = (operation.parameters ?? []).filter(({ in: where }) => where === 'query')
  const address = `${server}${path.replace(/\{(\w+)\}/g, (_, name: string) => shellVariable(name))}`
  const values = query.map(({ name }) => `${name}=${shellVariable(name)}`).join('&')
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${address}${values && `?${values}`}"`]
  if (operation.security !== undefined) lines.push(`  -H "${credentials(operation.security)}"`)
  if (body !== undefined) lines.push(`  -d '${JSON.stringify(body.examples?.[0])}'`)
  return lines.join(' \\\n')
}

/** Operations for browsers have no token. */
function credentials(security: readonly object[]): string {
  const isForBrowsers = security.every((way) => 'session' in way)
  return isForBrowsers ? 'Cookie: __Host-omen_session=$SESSION' : 'Authorization: Bearer $TOKEN'
}

function shellVariable(name: string): string {
  return `$${name.toUpperCase()}`
}
