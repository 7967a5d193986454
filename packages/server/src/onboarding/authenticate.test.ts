import { expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { makeWorld, REQUESTER, removeTemporaryFolders, URLS } from '../../test/world.js'
import { authenticate } from './exchange-code.js'

removeTemporaryFolders()

onBothEngines((database) => {
  test('a token works until its code is revoked', async () => {
    const { operations, onboarding, keys, discovery, signIn } = await makeWorld(database.current())
    const clock = () => new Date('2030-01-01T12:00:00Z')
    const deps = { database: database.current(), keys, discovery, signIn, clock, urls: URLS }
    const { code } = await operations.issueCode({ org: 'Acme', expires: '2030-01-10' })
    const { token } = await onboarding.exchangeCode(code, REQUESTER)
    await expect(authenticate(deps, token)).resolves.toBeUndefined()
    await expect(authenticate(deps, `${token}x`)).rejects.toMatchObject({ code: 'invalid_token' })
    await operations.revokeCode(code)
    await expect(authenticate(deps, token)).rejects.toMatchObject({ code: 'invalid_token' })
  })
})
