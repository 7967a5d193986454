import { mkdtempSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, THREE_HOSTS, useApp } from '../../../test/http/app-under-test.js'

const folder = mkdtempSync(join(tmpdir(), 'omen-web-'))
beforeAll(async () => {
  await mkdir(join(folder, 'page/assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'hush')
  await writeFile(join(folder, 'page/index.html'), '<!doctype html><title>Set up</title>')
  await writeFile(join(folder, 'page/omen.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'page/assets/index-B4kQ9x_z.js'), 'console.log(1)')
  await writeFile(join(folder, 'page/assets/plain.css'), 'a {}')
  await writeFile(join(folder, 'page/.env'), 'hush')
})
afterAll(() => rm(folder, { recursive: true }))

describe('with the set-up page', () => {
  const app = useApp({ webFolder: join(folder, 'page'), settings: THREE_HOSTS })

  test.each([
    ['/', 'text/html', 'no-cache'],
    ['/index.html', 'text/html', 'no-cache'],
    ['/omen.svg', 'image/svg+xml', 'no-cache'],
    ['/assets/index-B4kQ9x_z.js', 'javascript', 'public, max-age=31536000, immutable'],
    ['/assets/plain.css', 'text/css', 'no-cache'],
  ])('%s is served as %s, cached as %s', async (url, type, caching) => {
    const { send } = app()
    const response = await send({ url })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toContain(type)
    expect(response.headers['cache-control']).toBe(caching)
    expect(response.headers['content-security-policy']).toContain("script-src 'self'")
    expect(response.headers['content-security-policy']).not.toContain('unsafe')
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    const again = await send({ url, headers: { 'if-none-match': String(response.headers.etag) } })
    expect(again.statusCode).toBe(304)
    expect((await send({ method: 'HEAD', url })).statusCode).toBe(200)
    expect((await send({ method: 'POST', url })).statusCode).toBe(405)
  })

  test.each([
    '/assets',
    '/assets/',
    '/.env',
    '/secret.txt',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/nope.js',
  ])('%s is a problem, not a file and not a listing', async (url) => {
    const { send } = app()
    const response = await send({ url })
    expect(response.statusCode).toBe(404)
    expect(response.body).not.toContain('hush')
  })

  test('the page belongs to the onboarding host', async () => {
    const { send } = app()
    const at = (host: string) => send({ url: '/', headers: { host } })
    expect((await at('start.omen.example')).statusCode).toBe(200)
    expect((await at('app.omen.example')).json().detail).toContain(THREE_HOSTS.onboardUrl)
  })
})

describe('without it', () => {
  test('a text names the calls', async () => {
    const { send } = await startApp()
    const response = await send({ url: '/' })
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(response.body).toContain("curl 'http://localhost:8080/v1/auth/validate?code=<code>'")
    expect(response.body).toContain('http://localhost:8080/docs')
  })

  test('a folder without a page says so in the log, and the text is shown', async () => {
    await symlink('nowhere', join(folder, 'broken'))
    for (const name of ['missing', 'page/assets', 'broken']) {
      const { send, logged } = await startApp({ webFolder: join(folder, name) })
      expect((await send({ url: '/' })).body).toContain('/v1/auth/validate')
      expect(logged()).toContain('the set-up page is not built')
    }
  })
})
