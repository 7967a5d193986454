import { expect, test } from 'vitest'
import { onPglite } from '../../test/engines.js'
import { makeTestService, type TestService } from '../../test/sessions/test-service.js'
import { CLIENT, removeTemporaryFolders } from '../../test/world.js'
import { randomString } from '../signin/begin-authorization.js'

removeTemporaryFolders()

const statusOf = async (service: TestService, claims: Record<string, unknown>, email = 'alice@acme.com') => {
  const browser = randomString()
  const outcome = await service.comeBack(await service.goTo({ email }, browser, claims), browser)
  return outcome?.status === 'failed' ? outcome.reason : outcome?.status
}

onPglite((database) => {
  const scene = () => makeTestService(database.current())

  test.each<[string, Record<string, unknown>, string]>([
    ['of another domain', { email: 'a@other.com' }, 'wrong_domain'],
    ['of a subdomain', { email: 'a@mail.acme.com' }, 'wrong_domain'],
    ['with a trailing dot', { email: 'a@acme.com.' }, 'wrong_domain'],
    ['with two at signs', { email: 'a@acme.com@evil.com' }, 'email_unreadable'],
    ['with a look-alike', { email: 'a@аcme.com' }, 'wrong_domain'],
    ['that is not there', { email: undefined }, 'userinfo_unavailable'],
    ['that is not verified', { email_verified: false }, 'email_unverified'],
  ])('an address %s is rejected', async (_, claims, reason) => {
    await using service = await scene()
    await service.connect()
    expect(await statusOf(service, claims)).toBe(reason)
    expect([await service.count('users'), await service.count('sessions')]).toEqual([0, 0])
  })

  test.each<[string, Record<string, unknown>]>([
    ['in other case', { email: 'Alice@ACME.com' }],
    ['in full-width letters', { email: 'alice@ａｃｍｅ.com' }],
    ['that is verified', { email_verified: true }],
    ['without a claim about its verification', { email_verified: undefined }],
  ])('an address %s is accepted', async (_, claims) => {
    await using service = await scene()
    await service.connect()
    expect(await statusOf(service, claims)).toBe('signed_in')
    const [user] = await database.current().query<{ email: string }>('select email from users')
    expect(user!.email).toMatch(/^alice@acme\.com$/i)
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['by another issuer', { iss: 'https://evil.example' }, 'wrong_issuer'],
    ['for another client', { aud: 'other' }, 'wrong_audience'],
    ['for this service and another one', { aud: [CLIENT.client_id, 'other'], azp: 'other' }, 'wrong_audience'],
    ['without a subject', { sub: undefined }, 'claim_missing'],
    ['with an empty subject', { sub: '' }, 'claim_missing'],
    ['without a time', { iat: undefined }, 'claim_missing'],
    ['without an end', { exp: undefined }, 'claim_missing'],
    ['that has expired', { exp: 1_893_499_200 - 61 }, 'token_expired'],
    ['that is not valid yet', { nbf: 1_893_499_200 + 120 }, 'token_not_yet_valid'],
    ['with the nonce of another', { nonce: 'x' }, 'wrong_nonce'],
    ['without a nonce', { nonce: undefined }, 'claim_missing'],
    ['with a subject that cannot be kept', { sub: 'a\u0000b' }, 'subject_unreadable'],
    ['with an endless subject', { sub: 'x'.repeat(256) }, 'subject_unreadable'],
  ])('an ID token %s makes no session', async (_, claims, reason) => {
    await using service = await scene()
    await service.connect()
    expect(await statusOf(service, claims)).toBe(reason)
    expect([await service.count('users'), await service.count('sessions')]).toEqual([0, 0])
    expect((await service.actions()).at(-1)).toBe('sign_in.refused')
  })
})
