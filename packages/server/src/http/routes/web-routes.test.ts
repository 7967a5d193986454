import { mkdtempSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOBODY, startApp, THREE_HOSTS, useApp } from '../../../test/http/app-under-test.js'
import type { User } from '../../sessions/sessions.js'

const folder = mkdtempSync(join(tmpdir(), 'omen-web-'))
beforeAll(async () => {
  await mkdir(join(folder, 'page/assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'hush')
  await writeFile(join(folder, 'page/index.html'), '<!doctype html><title>Set up</title>')
  await writeFile(join(folder, 'page/app.html'), '<!doctype html><title>The app</title>')
  await writeFile(join(folder, 'page/omen.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'page/assets/index-B4kQ9x_z.js'), 'console.log(1)')
  await writeFile(join(folder, 'page/assets/index-B4kQ9x_z.js.br'), brotliCompressSync('console.log(1)'))
  await writeFile(join(folder, 'page/assets/plain.css'), 'a {}')
  await writeFile(join(folder, 'page/.env'), 'hush')
})
afterAll(() => rm(folder, { recursive: true }))

const ALICE = { email: 'alice@acme.com' } as User

/** A request with this cookie is one of Alice. */
const COOKIE = 'a'.repeat(43)

const sessions = {
  ...NOBODY,
  read: async (cookie: string | undefined) => (cookie === COOKIE ? ALICE : undefined),
}

const PAGE = { accept: 'text/html,application/xhtml+xml' }

describe('with the pages', () => {
  const app = useApp({ webFolder: join(folder, 'page'), settings: THREE_HOSTS, sessions })

  test.each([
    ['/', 'text/html', 'no-cache'],
    ['/rules', 'text/html', 'no-cache'],
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
    '/index.html',
    '/app.html',
    '/organization/nothing',
  ])('%s is a problem, not a file or a listing, and for browsers a page with a link', async (url) => {
    const { send } = app()
    const response = await send({ url })
    expect(response.statusCode).toBe(404)
    expect(response.body).not.toContain('hush')
    const page = await app().app.inject({ url, headers: PAGE })
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<a href="/">')
    expect(page.headers['content-security-policy']).not.toContain('script-src')
  })

  test('files that were compressed by the build are sent to clients that accept it', async () => {
    const url = '/assets/index-B4kQ9x_z.js'
    const { headers, rawPayload } = await app().send({ url, headers: { 'accept-encoding': 'gzip, br' } })
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-type': expect.stringContaining('javascript') })
    expect(headers['cache-control']).toContain('immutable')
    expect(headers.vary).toBe('Accept-Encoding')
    expect(rawPayload).toEqual(brotliCompressSync('console.log(1)'))
    expect((await app().send({ url, headers: { 'accept-encoding': 'gzip' } })).body).toBe('console.log(1)')
    expect((await app().send({ url: `${url}.br` })).statusCode).toBe(404)
  })

  test('each host has its own start page', async () => {
    const at = async (host: string, url = '/', cookie = '') => {
      const { statusCode, headers, body } = await app().send({ url, headers: { host, cookie } })
      return statusCode === 200 ? body.replace(/.*<title>(.*)<.title>.*/, '$1') : [statusCode, headers.location]
    }
    const signedIn = `__Host-omen_session=${COOKIE}`
    expect(await at('start.omen.example')).toBe('Set up')
    expect(await at('start.omen.example', '/setup')).toBe('Set up')
    expect(await at('app.omen.example', '/', signedIn)).toBe('The app')
    expect(await at('app.omen.example')).toEqual([303, '/v1/auth/enter?to=/'])
    expect(await at('app.omen.example', '/rules?q=a')).toBe('The app')
    expect(await at('app.omen.example', '/setup')).toEqual([303, 'https://start.omen.example/'])
    expect(await at('login.omen.example')).toEqual([303, 'https://app.omen.example/'])
    expect(await at('login.omen.example', '/sessions?x=1')).toEqual([303, 'https://app.omen.example/sessions?x=1'])
  })
})

describe('with one host for all', () => {
  const app = useApp({ webFolder: join(folder, 'page'), sessions })

  test('the start page is the app for signed-in users, and the set-up page for everybody else', async () => {
    const at = (url: string, cookie = '') => app().send({ url, headers: { cookie } })
    const [anonymous, alice] = [await at('/'), await at('/', `omen_session=${COOKIE}`)]
    expect([anonymous.body, alice.body].map((body) => body.slice(22, -8))).toEqual(['Set up', 'The app'])
    expect(anonymous.headers.vary).toContain('Cookie')
    expect((await at('/setup', `omen_session=${COOKIE}`)).body).toContain('Set up')
    expect((await at('/setup/')).headers.location).toBe('/setup')
  })

  test('every address of the app is the app, with any query', async () => {
    for (const url of ['/rules', '/rules/', '/rules/CRE-2026-10001?x', '/sessions', '/organization/audit?action=a']) {
      expect((await app().send({ url })).body).toContain('The app')
    }
  })
})

describe('without the pages', () => {
  test('a text describes the requests', async () => {
    const { send } = await startApp()
    const response = await send({ url: '/' })
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(response.body).toContain("curl 'http://localhost:8080/v1/auth/validate?code=<code>'")
    expect(response.body).toContain('http://localhost:8080/docs')
  })

  test('a folder without pages is logged, and the text is sent', async () => {
    await symlink('nowhere', join(folder, 'broken'))
    for (const name of ['missing', 'page/assets', 'broken']) {
      const { send, logged } = await startApp({ webFolder: join(folder, name) })
      expect((await send({ url: '/' })).body).toContain('/v1/auth/validate')
      expect(logged()).toContain('the pages are not built')
    }
  })
})
