import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { THREE_HOSTS, useApp } from '../../../test/http/app-under-test.js'
import { PROBLEMS } from '../../problem.js'
import { html, prose } from '../pages/html.js'

describe('/docs', () => {
  const app = useApp({ settings: THREE_HOSTS })
  const read = () => app().send({ url: '/docs' })

  test('has a section for every problem code, at the address in the type of the problem', async () => {
    const { body } = await read()
    for (const code of Object.keys(PROBLEMS)) expect(body.split(`id="${code}"`)).toHaveLength(2)
    const problem = await app().send({ url: '/nope' })
    expect(problem.json().type).toBe(`${THREE_HOSTS.onboardUrl}/docs#not_found`)
  })

  test('has every operation with a command to paste', async () => {
    const { body } = await read()
    expect(body).toContain(`curl &quot;${THREE_HOSTS.onboardUrl}/v1/auth/validate?code=$CODE&quot;`)
    expect(body).toContain(`curl -X POST &quot;${THREE_HOSTS.onboardUrl}/v1/api/oauth/$TRANSACTION_ID/onboard&quot; \\`)
    expect(body).toContain('-H &quot;Authorization: Bearer $TOKEN&quot;')
    const forBrowsers = `curl -X POST &quot;${THREE_HOSTS.baseUrl}/v1/org/connection/test&quot; \\\n  -H &quot;Cookie: `
    expect(body).toContain(forBrowsers)
  })

  test('describes every field of every response', async () => {
    const { body } = await read()
    expect(body).toContain('Response (201)')
    expect(body).toContain('object or null. Null if no connection is prepared.')
    expect(body).not.toContain('undefined')
  })

  test('has a target for every link on the page', async () => {
    const { body } = await read()
    const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
    expect(ids.size).toBe([...body.matchAll(/ id="/g)].length)
  })

  test('loads nothing: the policy allows only its inline style', async () => {
    const { body, headers } = await read()
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const style = /<style>([\s\S]*?)<\/style>/.exec(body)![1]!
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`)
    expect(body).not.toMatch(
      /<script|<link|<img|style="|https?:\/\/(?!(?:start|login)\.omen\.example|[\w.]*example\.com|acme\.okta\.com)/,
    )
  })

  test('works with a screen reader', async () => {
    const { body } = await read()
    expect(body).toMatch(/^<!doctype html>\s*<html lang="en">/)
    expect(body).toContain('<main id="content">')
    expect(body).toContain('href="#content"')
    const levels = [...body.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
    expect(levels[0]).toBe(1)
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1)
    for (const [table] of body.matchAll(/<table>[\s\S]*?<\/table>/g)) expect(table).toContain('<th scope="col">')
  })
})

describe('html', () => {
  test('escapes every value', () => {
    expect(html`<p title="${'"x"'}">${'<script>&'}${7}${[html`<b>${"'"}</b>`]}</p>`.html).toBe(
      '<p title="&quot;x&quot;">&lt;script&gt;&amp;7<b>&#39;</b></p>',
    )
  })

  test('shows code as code', () => {
    expect(prose('Send `<token>` now').html).toBe('Send <code>&lt;token&gt;</code> now')
  })
})
