import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/discovery/local-server.js'
import { authority, HOST, type Page, type PublishedProvider, startProvider } from '../../test/discovery/stage.js'

let idp: PublishedProvider
beforeAll(async () => {
  idp = await startProvider()
})
afterAll(() => idp[Symbol.asyncDispose]())

const detailOf = async (given: string) => (await idp.problemOf(given)).message

/** Replaces `$` by the address of this run. */
const here = (text: string) => text.replaceAll('$', idp.issuer)

describe('a document that cannot be read says why', () => {
  test.each<[string, Page, string, string?]>([
    ['away', { status: 404, body: '' }, 'it returned status 404.'],
    ['broken', { status: 503, body: '{}' }, 'it returned status 503.'],
    ['empty', { status: 204, body: '' }, 'it returned status 204.'],
    ['nothing', { body: '' }, 'its response is not JSON.'],
    ['a web page', { body: '<!DOCTYPE html><title>Sign in</title>' }, 'its response is a web page, not JSON.'],
    ['cut off', { body: '{"issuer":' }, 'its response is not JSON.'],
    ['a list', { body: '[{}]' }, 'its response is a list, not a JSON object.'],
    ['null', { body: 'null' }, 'its response is null, not a JSON object.'],
    ['a text', { body: '"x"' }, 'its response is "x", not a JSON object.'],
    ['deep', { body: '['.repeat(200_000) }, 'its response is not JSON.'],
    [
      'deeply nested but complete',
      { body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` },
      'its response is a list, not a JSON object.',
    ],
    [
      'moved',
      { status: 301, headers: { location: '/new' }, body: '' },
      'it redirects to "$/new", but redirects are not followed.',
      'If that is the correct URL, send it instead.',
    ],
  ])('%s', async (_, page, reason, advice = 'Check the URL and try again.') => {
    idp.pages.clear()
    idp.pages.set('/.well-known/openid-configuration', page)
    expect(await detailOf(idp.wellKnownUrl)).toBe(
      here(`The configuration at "$/.well-known/openid-configuration" cannot be read: ${reason} ${advice}`),
    )
  })

  test('with deeply nested members, which are not inspected', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    idp.pages.clear()
    idp.pages.set('/.well-known/openid-configuration', {
      body: `{"issuer":${deep},"jwks_uri":${deep},"response_types_supported":[${deep}]}`,
    })
    expect(await detailOf(idp.wellKnownUrl)).toContain(
      'has 4 problems: issuer is a list, not a URL; authorization_endpoint is missing',
    )
  })

  test('that is not UTF-8', async () => {
    await using latin = await startServer(
      (_, response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])),
      authority.issue(HOST),
    )
    const given = `https://idp.test:${latin.port}/.well-known/openid-configuration`
    expect(await detailOf(given)).toBe(
      `The configuration at "${given}" cannot be read: its response is not JSON. Check the URL and try again.`,
    )
  })
})

describe('a URL that cannot be used says why', () => {
  test.each([
    [
      'acme',
      'well_known_url "acme" cannot be used: it is not a URL. A well-known URL looks like https://idp.example.com/.well-known/openid-configuration.',
    ],
    [
      '',
      'well_known_url "" cannot be used: it is not a URL. A well-known URL looks like https://idp.example.com/.well-known/openid-configuration.',
    ],
    [
      'http://idp.test/.well-known/openid-configuration',
      'well_known_url "http://idp.test/.well-known/openid-configuration" cannot be used: it does not start with https://. Only HTTPS is allowed.',
    ],
    [
      'https://10.0.0.1/.well-known/openid-configuration',
      'well_known_url "https://10.0.0.1/.well-known/openid-configuration" cannot be used: 10.0.0.1 is a private address; only public addresses are allowed. Use an address that can be reached from the internet.',
    ],
    [
      'https://inside.test/.well-known/openid-configuration',
      'The configuration at "https://inside.test/.well-known/openid-configuration" cannot be read: "inside.test" resolves to a private address; only public addresses are allowed. Use an address that can be reached from the internet.',
    ],
    [
      'https://u:hunter2@idp.test/.well-known/openid-configuration',
      'well_known_url (not shown here) cannot be used: it contains a user name or password. Remove them.',
    ],
  ])('%s', async (given, detail) => {
    const problem = await idp.problemOf(given)
    expect(problem.message).toBe(detail)
    expect(problem.errors).toEqual([{ field: 'well_known_url', message: detail }])
  })

  const PASTED = 'is not a well-known URL: it must end in /.well-known/openid-configuration.'

  test('and suggests the one that works', async () => {
    idp.publish({})
    expect(await detailOf(idp.issuer)).toBe(
      here(`well_known_url "$" ${PASTED} Send "$/.well-known/openid-configuration" instead.`),
    )
  })

  test('and what is wrong with the suggested one', async () => {
    idp.publish({ issuer: 'https://evil.test', jwks_uri: undefined })
    expect(await detailOf(`${idp.issuer}/`)).toBe(
      here(
        `well_known_url "$/" ${PASTED} There is a configuration at "$/.well-known/openid-configuration", but it cannot be used: issuer is "https://evil.test", but the URL belongs to the issuer "$"; if that is your issuer, use "https://evil.test/.well-known/openid-configuration".`,
      ),
    )
  })

  test('and that the suggested one was tried without success', async () => {
    idp.pages.clear()
    expect(await detailOf(`${idp.issuer}/login`)).toBe(
      here(
        `well_known_url "$/login" ${PASTED} "$/login/.well-known/openid-configuration" was tried: it returned status 404. Copy the URL from the settings of your identity provider.`,
      ),
    )
  })

  test('and what it looks like if a part is unknown', async () => {
    expect(await detailOf('https://entra.microsoft.com/#home')).toBe(
      `well_known_url "https://entra.microsoft.com/#home" ${PASTED} Your URL probably looks like "https://login.microsoftonline.com/<tenant id>/v2.0/.well-known/openid-configuration".`,
    )
  })
})
