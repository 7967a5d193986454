import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/discovery/local-server.js'
import { authority, HOST, type Page, type PublishedProvider, startProvider } from '../../test/discovery/stage.js'

let idp: PublishedProvider
beforeAll(async () => {
  idp = await startProvider()
})
afterAll(() => idp[Symbol.asyncDispose]())

const detailOf = async (given: string) => (await idp.problemOf(given)).message

/** Puts the address of this run in the place of `$`. */
const here = (text: string) => text.replaceAll('$', idp.issuer)

describe('a document that cannot be read says why', () => {
  test.each<[string, Page, string, string?]>([
    ['away', { status: 404, body: '' }, 'it answers with status 404.'],
    ['broken', { status: 503, body: '{}' }, 'it answers with status 503.'],
    ['empty', { status: 204, body: '' }, 'it answers with status 204.'],
    ['nothing', { body: '' }, 'its answer is not JSON.'],
    ['a web page', { body: '<!DOCTYPE html><title>Sign in</title>' }, 'its answer is not JSON but a web page.'],
    ['cut off', { body: '{"issuer":' }, 'its answer is not JSON.'],
    ['a list', { body: '[{}]' }, 'its answer is not a JSON object but a list.'],
    ['null', { body: 'null' }, 'its answer is not a JSON object but null.'],
    ['a text', { body: '"x"' }, 'its answer is not a JSON object but "x".'],
    ['deep', { body: '['.repeat(200_000) }, 'its answer is not JSON.'],
    [
      'deep and whole',
      { body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` },
      'its answer is not a JSON object but a list.',
    ],
    [
      'moved',
      { status: 301, headers: { location: '/new' }, body: '' },
      'it redirects to "$/new", and redirects are not followed.',
      'If that is the right address, send it instead.',
    ],
  ])('%s', async (_, page, reason, advice = 'Check the URL and try again.') => {
    idp.pages.clear()
    idp.pages.set('/.well-known/openid-configuration', page)
    expect(await detailOf(idp.wellKnownUrl)).toBe(
      here(`The configuration at "$/.well-known/openid-configuration" cannot be read: ${reason} ${advice}`),
    )
  })

  test('with deep members, which are not looked into', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    idp.pages.clear()
    idp.pages.set('/.well-known/openid-configuration', {
      body: `{"issuer":${deep},"jwks_uri":${deep},"response_types_supported":[${deep}]}`,
    })
    expect(await detailOf(idp.wellKnownUrl)).toContain(
      'has 4 problems: issuer is not a URL but a list; authorization_endpoint is missing',
    )
  })

  test('that is not UTF-8', async () => {
    await using latin = await startServer(
      (_, response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])),
      authority.issue(HOST),
    )
    const given = `https://idp.test:${latin.port}/.well-known/openid-configuration`
    expect(await detailOf(given)).toBe(
      `The configuration at "${given}" cannot be read: its answer is not JSON. Check the URL and try again.`,
    )
  })
})

describe('a URL that cannot be used says why', () => {
  test.each([
    [
      'acme',
      'well_known_url "acme" cannot be used: it is not a URL. It looks like https://idp.example.com/.well-known/openid-configuration.',
    ],
    [
      '',
      'well_known_url "" cannot be used: it is not a URL. It looks like https://idp.example.com/.well-known/openid-configuration.',
    ],
    [
      'http://idp.test/.well-known/openid-configuration',
      'well_known_url "http://idp.test/.well-known/openid-configuration" cannot be used: it does not start with https://. Only HTTPS is safe enough here.',
    ],
    [
      'https://10.0.0.1/.well-known/openid-configuration',
      'well_known_url "https://10.0.0.1/.well-known/openid-configuration" cannot be used: 10.0.0.1 is a private address; only public addresses are allowed. Use an address that can be reached from the internet.',
    ],
    [
      'https://inside.test/.well-known/openid-configuration',
      'The configuration at "https://inside.test/.well-known/openid-configuration" cannot be read: "inside.test" leads to a private address; only public addresses are allowed. Use an address that can be reached from the internet.',
    ],
    [
      'https://u:hunter2@idp.test/.well-known/openid-configuration',
      'well_known_url (not shown here) cannot be used: it holds a user name or password. Leave them out.',
    ],
  ])('%s', async (given, detail) => {
    const problem = await idp.problemOf(given)
    expect(problem.message).toBe(detail)
    expect(problem.errors).toEqual([{ field: 'well_known_url', message: detail }])
  })

  const PASTED = 'is not the URL of a configuration: those end in /.well-known/openid-configuration.'

  test('and which one works', async () => {
    idp.publish({})
    expect(await detailOf(idp.issuer)).toBe(
      here(`well_known_url "$" ${PASTED} There is one at "$/.well-known/openid-configuration": send that.`),
    )
  })

  test('and what is wrong with the one that was meant', async () => {
    idp.publish({ issuer: 'https://evil.test', jwks_uri: undefined })
    expect(await detailOf(`${idp.issuer}/`)).toBe(
      here(
        `well_known_url "$/" ${PASTED} There is one at "$/.well-known/openid-configuration", which cannot be used: issuer is "https://evil.test", but "$" is the issuer that the URL belongs to; if that issuer is yours, its URL is "https://evil.test/.well-known/openid-configuration".`,
      ),
    )
  })

  test('and that the likely one was tried in vain', async () => {
    idp.pages.clear()
    expect(await detailOf(`${idp.issuer}/login`)).toBe(
      here(
        `well_known_url "$/login" ${PASTED} "$/login/.well-known/openid-configuration" was tried: it answers with status 404. Copy the URL from the settings of your identity provider.`,
      ),
    )
  })

  test('and how it looks where a part is unknown', async () => {
    expect(await detailOf('https://entra.microsoft.com/#home')).toBe(
      `well_known_url "https://entra.microsoft.com/#home" ${PASTED} Yours looks like "https://login.microsoftonline.com/<tenant id>/v2.0/.well-known/openid-configuration".`,
    )
  })
})
