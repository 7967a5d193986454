import type { Person, SessionRecord } from '../../sessions/sessions.js'
import { type Html, html } from '../docs/html.js'
import type { FormPage } from './form-page.js'

const KINDS: Readonly<Record<SessionRecord['kind'], string>> = { browser: 'Browser', tool: 'The omen tool' }

/**
 * The page on which people see where they are signed in, and end it.
 *
 * @example
 * sendFormPage(reply, 200, sessionsPage({ person, sessions, logOutOrigin: 'https://acme.okta.com' }))
 */
export function sessionsPage({
  person,
  sessions,
  logOutOrigin,
}: {
  readonly person: Person
  readonly sessions: readonly SessionRecord[]
  readonly logOutOrigin: string | undefined
}): FormPage {
  return {
    title: 'Where you are signed in',
    leadsTo: logOutOrigin === undefined ? [] : [logOutOrigin],
    body: html`<p>You are ${person.email} (${person.org.name}).</p>
<ul>
${sessions.map(renderSession)}</ul>
<form method="post" action="/v1/auth/logout"><button type="submit">Sign out here</button></form>`,
  }
}

function renderSession({ id, kind, current, agent, address, createdAt, seenAt }: SessionRecord): Html {
  return html`<li>
<p><strong>${KINDS[kind]}</strong>${current ? ' (this one)' : ''}<br><span class="soft">${agent === '' ? 'unknown program' : agent}</span></p>
<p class="soft">From ${address}. Signed in ${readable(createdAt)}, last used ${readable(seenAt)} (UTC).</p>
${current ? '' : html`<form method="post" action="/sessions/end"><input type="hidden" name="id" value="${id}"><button class="quiet" type="submit" aria-label="End it: the session from ${address}, signed in ${readable(createdAt)}">End it</button></form>\n`}</li>
`
}

function readable(moment: Date): string {
  return moment.toISOString().slice(0, 16).replace('T', ' ')
}
