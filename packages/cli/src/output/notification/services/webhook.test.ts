import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VERSION } from '../../../version.js'
import type { NotificationMessage } from '../message.js'
import { SERVICES } from './services.js'

const manual = readFileSync(new URL('../../../../../../docs/notifications.md', import.meta.url), 'utf8')

const message: NotificationMessage = {
  prefix: 'nightly: ',
  host: 'web-1',
  reportName: 'omen-report-1772366403.json',
  problems: [
    {
      id: 'CRE-2026-0001',
      severity: 'critical',
      title: 'Kafka lost its leader',
      hits: 3,
      first: '2026-03-01T11:59:01Z',
    },
    { id: 'ACME-7', severity: 'low', hits: 1, first: '2026-03-01T11:59:30Z' },
  ],
}
const now = new Date('2026-03-01T12:00:03Z')

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(manual)?.[1] ?? ''
}

/** The names of all values in data: `summary.hits`, `problems[].id`. */
function namesIn(data: unknown, path = ''): string[] {
  if (Array.isArray(data)) return data.flatMap((item) => namesIn(item, `${path}[]`))
  if (typeof data !== 'object' || data === null) return [path]
  return Object.entries(data).flatMap(([key, value]) => namesIn(value, path === '' ? key : `${path}.${key}`))
}

test('the example in the manual equals the request body', () => {
  const sent = JSON.stringify(SERVICES.webhook.payload(message, now), null, 2)
  expect(block('json').replace('omen 0.1.0', `omen ${VERSION}`)).toBe(`${sent}\n`)
})

test('the table in the manual lists exactly the fields', () => {
  const rows = [...manual.matchAll(/^\| `([^`]+)` +\| (?:string|integer) +\|/gm)].map(([, name]) => name)
  expect(new Set(rows)).toEqual(new Set(namesIn(SERVICES.webhook.payload(message, now))))
})

test('the message in the manual equals the message in a chat', () => {
  const { text } = SERVICES.slack.payload(message, now) as { text: string }
  expect(block('text')).toBe(`${text.replaceAll('*', '')}\n`)
})

test('fields without a report, title or label are absent or empty', () => {
  const plain = { prefix: '', host: 'web-1', problems: [message.problems[1]!] }
  const sent = JSON.parse(JSON.stringify(SERVICES.webhook.payload(plain, now)))
  expect(sent.prefix).toBe('')
  expect(sent).not.toHaveProperty('report')
  expect(sent.problems).toEqual([message.problems[1]])
})
