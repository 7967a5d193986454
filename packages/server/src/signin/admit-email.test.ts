import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admitEmail } from './admit-email.js'
import { SignInFailure } from './sign-in-failure.js'

const outcomeOf = (claims: Parameters<typeof admitEmail>[0], domain = 'acme.com') => {
  try {
    return admitEmail(claims, ['acme.org', domain])
  } catch (error) {
    if (error instanceof SignInFailure) return error.code
    throw error
  }
}

describe('an address is admitted', () => {
  test.each([
    ['of the domain', 'alice@acme.com', 'alice@acme.com'],
    ['in other case', 'Alice@ACME.Com', 'Alice@acme.com'],
    ['in full-width letters', 'alice@ａｃｍｅ.com', 'alice@acme.com'],
  ])('%s', (_, email, admitted) => {
    expect(outcomeOf({ email })).toBe(admitted)
  })

  test('of an international domain in either spelling', () => {
    for (const domain of ['bücher.de', 'BÜCHER.de', 'xn--bcher-kva.de', 'XN--BCHER-KVA.DE']) {
      expect(outcomeOf({ email: `a@${domain}` }, 'xn--bcher-kva.de')).toBe('a@xn--bcher-kva.de')
    }
  })

  test('if email_verified is true or absent', () => {
    for (const email_verified of [true, 'true', undefined, null]) {
      expect(outcomeOf({ email: 'a@acme.com', email_verified })).toBe('a@acme.com')
    }
  })
})

describe('an address is rejected', () => {
  test.each([
    ['of another domain', 'alice@other.com', 'wrong_domain'],
    ['of a subdomain', 'alice@mail.acme.com', 'wrong_domain'],
    ['of a domain that ends alike', 'alice@evilacme.com', 'wrong_domain'],
    ['of a domain that begins alike', 'alice@acme.com.evil.com', 'wrong_domain'],
    ['with a dot at the end', 'alice@acme.com.', 'wrong_domain'],
    ['with a look-alike letter', 'alice@аcme.com', 'wrong_domain'],
    ['with two @', 'a@acme.com@evil.com', 'email_unreadable'],
    ['with two @, ours last', 'a@evil.com@acme.com', 'email_unreadable'],
    ['without a name', '@acme.com', 'email_unreadable'],
    ['without a domain', 'alice', 'email_unreadable'],
    ['with a line break', 'alice@acme.com\n', 'email_unreadable'],
    ['with a comment', 'alice@acme.com (x)', 'email_unreadable'],
    ['with an escape', 'alice@acme%2ecom', 'email_unreadable'],
    ['with a path', 'alice@acme.com/evil.com', 'email_unreadable'],
    ['with a zero character', 'alice\0@acme.com', 'email_unreadable'],
    ['that is a list', ['alice@acme.com'], 'email_unreadable'],
    ['that is too long', `${'a'.repeat(400)}@acme.com`, 'email_unreadable'],
    ['that is empty', '', 'email_missing'],
    ['that is null', null, 'email_missing'],
    ['that is missing', undefined, 'email_missing'],
  ])('%s', (_, email, code) => {
    expect(outcomeOf({ email })).toBe(code)
  })

  test('that is not verified, in any notation', () => {
    for (const email_verified of [false, 'false', 0, '', 'no', {}]) {
      expect(outcomeOf({ email: 'a@acme.com', email_verified })).toBe('email_unverified')
    }
  })

  test('with the received and the expected value', () => {
    expect(() => admitEmail({ email: 'bob@other.com' }, ['acme.com', 'acme.org', 'acme.net'])).toThrow(
      /"bob@other\.com", .* addresses at acme\.com, acme\.org or acme\.net/,
    )
    expect(() => admitEmail({ email: 'a@acme.com', email_verified: false }, ['acme.com'])).toThrow(
      /"email_verified" is false/,
    )
  })
})

test('every admitted address ends in the domain, and only SignInFailure is thrown', () => {
  const parts = fc.constantFrom('@', '.', 'acme.com', 'evil', '%', '\0', 'ａ', '。', ' ', '/', '\ud800', 'xn--')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(parts, { maxLength: 8 }).map((list) => list.join('')),
        fc.anything(),
      ),
      (email) => {
        const outcome = outcomeOf({ email })
        if (outcome.includes('@')) expect(outcome.split('@')).toEqual([expect.stringMatching(/./), 'acme.com'])
      },
    ),
  )
})
