import { expect, test } from 'vitest'
import { tableOperations, useOperatorStage } from '../../../test/operator/stage.js'
import { Failure } from '../../failure.js'

const stage = useOperatorStage()

test('keys rotate reports the new key and the number of secrets', async () => {
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
])('keys rotate-signing reports whether older tokens stay valid; --end-tokens: %s', async (endTokens, message) => {
  const calls: unknown[] = []
  await stage.serve(tableOperations(calls))
  expect((await stage.run({ verb: 'keys rotate-signing', endTokens, json: false })).out).toBe(message)
  expect(calls).toEqual([['rotateSigningKey', { endTokens }]])
  const { out } = await stage.run({ verb: 'keys rotate-signing', endTokens, json: true })
  expect(JSON.parse(out)).toEqual({ keyId: 's2', kept: 1, dropped: 0 })
})

test('a failure that the operator must solve on the server is reported by the command', async () => {
  const failure = new Failure('Start', '/var/lib/omen/keys.json: cannot be written', { hint: 'Make room.' })
  await stage.serve({ ...tableOperations(), rotateKeys: () => Promise.reject(failure) })
  await expect(stage.run({ verb: 'keys rotate', json: false })).rejects.toMatchObject({
    kind: 'Operator',
    message: '/var/lib/omen/keys.json: cannot be written',
    hint: 'Make room.',
  })
})
