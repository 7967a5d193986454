import { describe, expect, test } from 'vitest'
import { tableOperations, useOperatorStage } from '../../../test/operator/stage.js'

const stage = useOperatorStage()

describe('the command org', () => {
  test('lists organizations and shows one of them', async () => {
    await stage.serve(tableOperations())
    expect((await stage.run({ verb: 'org list', json: false })).out).toBe(`\
ORGANIZATION  DOMAINS   CONNECTED  CREATED (UTC)
Acme          acme.com  yes        2026-02-01 10:00:00
`)
    expect((await stage.run({ verb: 'org show', name: 'Acme', json: false })).out).toBe(`\
Organization  Acme
Created       2026-02-01 10:00:00 UTC
Domains       acme.com
Connected     2026-02-03 10:00:00 UTC
Issuer        https://acme.okta.com
Client ID     abc
Sign-in URI   https://omen.example.com/v1/auth/callback/u

ID  ORGANIZATION  DOMAIN    STATE      EXPIRES     ISSUED (UTC)
c1  Acme          acme.com  completed  2026-12-31  2026-02-01 10:00:00
`)
  })

  test('remove prompts for the name', async () => {
    const calls: unknown[] = []
    await stage.serve(tableOperations(calls))
    const refused = stage.run({ verb: 'org remove', name: 'Acme', yes: false, json: false }, { typed: 'yes' })
    await expect(refused).rejects.toMatchObject({
      exitCode: 1,
      message: 'the name does not match: nothing was removed',
    })
    expect(calls).toEqual([])
    const { out } = await stage.run({ verb: 'org remove', name: 'Acme', yes: false, json: false }, { typed: 'Acme' })
    expect(out).toBe('Removed Acme. Its codes and tokens no longer work. acme.com can be connected again.\n')
    expect(calls).toEqual([['removeOrganization', 'Acme']])
  })

  test('remove without a terminal needs --yes', async () => {
    const calls: unknown[] = []
    await stage.serve(tableOperations(calls))
    const refused = stage.run({ verb: 'org remove', name: 'Acme', yes: false, json: false })
    await expect(refused).rejects.toMatchObject({
      exitCode: 2,
      message: 'no terminal to confirm the removal of "Acme": add --yes to confirm',
    })
    await stage.run({ verb: 'org remove', name: 'Acme', yes: true, json: true })
    expect(calls).toEqual([['removeOrganization', 'Acme']])
  })
})
