import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureRuleToken } from '../settings/rule-token.js'
import { isExpired, readSignIn, readTokens, type SignIn, tokenPath, writeSignIn } from './token-file.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-tokens-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SIGN_IN: SignIn = {
  service: 'https://omen.example.com',
  accessToken: 'omen_at_abc-_',
  refreshToken: 'omen_rt_def-_',
  expiresAt: Date.parse('2026-11-15T13:00:00Z'),
}

it('stores a sign-in in one line, for its owner only', async () => {
  writeFileSync(tokenPath(folder), 'anonymous\n', { mode: 0o600 })
  await writeSignIn(folder, SIGN_IN)
  expect(readFileSync(tokenPath(folder), 'utf8')).toBe(
    '{"service":"https://omen.example.com","access_token":"omen_at_abc-_","refresh_token":"omen_rt_def-_",' +
      '"expires_at":"2026-11-15T13:00:00.000Z"}\n',
  )
  expect(statSync(tokenPath(folder)).mode & 0o777).toBe(0o600)
  expect(readTokens(folder)).toEqual(SIGN_IN)
})

it('is not replaced by the anonymous token', async () => {
  await writeSignIn(folder, SIGN_IN)
  ensureRuleToken(folder)
  expect(readSignIn(folder)).toEqual(SIGN_IN)
})

it('reads tokens of operators and of older versions', () => {
  writeFileSync(tokenPath(folder), ' omen_5mCTRVrLtbLuLNxHgyGcXbRZ \n')
  expect(readTokens(folder)).toEqual({ token: 'omen_5mCTRVrLtbLuLNxHgyGcXbRZ' })
  expect(readSignIn(folder)).toBeUndefined()
  writeFileSync(tokenPath(folder), 'Jq3anonymous\n')
  expect(readTokens(folder)).toBeUndefined()
})

it.each([
  '',
  '{',
  '{}',
  'null',
  '[]',
  '{"service":7}',
  `${JSON.stringify({ service: 'https://a', access_token: 'omen_at_1', refresh_token: 'b', expires_at: 'soon' })}`,
  `${JSON.stringify({ service: 'nowhere', access_token: 'omen_at_1', refresh_token: 'b', expires_at: '2026-11-15' })}`,
  `${JSON.stringify({ service: 'https://a', access_token: 'a\nb', refresh_token: 'b', expires_at: '2026-11-15' })}`,
])('is not a sign-in: %s', (content) => {
  writeFileSync(tokenPath(folder), content)
  expect(readTokens(folder)).toBeUndefined()
})

it('no content makes the reader throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      writeFileSync(tokenPath(folder), bytes)
      expect(() => readTokens(folder)).not.toThrow()
    }),
    { numRuns: 30 },
  )
})

it('expires half a minute early', () => {
  expect(isExpired(SIGN_IN, SIGN_IN.expiresAt - 30_001)).toBe(false)
  expect(isExpired(SIGN_IN, SIGN_IN.expiresAt - 30_000)).toBe(true)
})
