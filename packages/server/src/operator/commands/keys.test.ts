import { expect, test } from 'vitest'
import { tableOperations, useOperatorStage } from '../../../test/operator/stage.js'
import { Failure } from '../../failure.js'

const stage = useOperatorStage()

test('keys rotate says which key and how many secrets', async () => {
  await stage.serve(tableOperations())
  expect((await stage.run({ verb: 'keys rotate', json: false })).out).toBe(
    'The encryption key is now k2. 1 secret was encrypted with it.\n',
  )
  expect(JSON.parse((await stage.run({ verb: 'keys rotate', json: true })).out)).toEqual({
    keyId: 'k2',
    reencrypted: 1,
  })
})

test.each([
  [false, 'The signing key is now s2. Tokens that were issued before work until they expire.\n'],
  [
    true,
    'The signing key is now s2. Tokens that were issued before no longer work: administrators exchange their code again.\n',
  ],
])('keys rotate-signing says what becomes of tokens; --end-tokens: %s', async (endTokens, words) => {
  const calls: unknown[] = []
  await stage.serve(tableOperations(calls))
  expect((await stage.run({ verb: 'keys rotate-signing', endTokens, json: false })).out).toBe(words)
  expect(calls).toEqual([['rotateSigningKey', { endTokens }]])
  const { out } = await stage.run({ verb: 'keys rotate-signing', endTokens, json: true })
  expect(JSON.parse(out)).toEqual({ keyId: 's2', kept: 1, dropped: 0 })
})

test('what the operator must solve where the server runs is told where the command runs', async () => {
  const failure = new Failure('Start', '/var/lib/omen/keys.json: cannot be written', { hint: 'Make room.' })
  await stage.serve({ ...tableOperations(), rotateKeys: () => Promise.reject(failure) })
  await expect(stage.run({ verb: 'keys rotate', json: false })).rejects.toMatchObject({
    kind: 'Operator',
    message: '/var/lib/omen/keys.json: cannot be written',
    hint: 'Make room.',
  })
})
