import { describe, expect, test } from 'vitest'
import { tableOperations, useOperatorStage } from '../../../test/operator/stage.js'

describe('the command user', () => {
  const stage = useOperatorStage()

  test('list shows the users who have signed in, and replaces control characters in their names', async () => {
    const calls: unknown[] = []
    await stage.serve(tableOperations(calls))
    const { out } = await stage.run({ verb: 'user list', json: false, org: 'Acme' })
    expect(out.split('\n')).toEqual([
      'ADDRESS         NAME       ORGANIZATION  ROLE           SESSIONS  SIGNED IN (UTC)',
      'alice@acme.com  Alice\ufffd[2J  Acme          administrator  2         2026-02-04 10:00:00',
      '',
    ])
    expect(calls).toEqual([['listUsers', { org: 'Acme' }]])
    const json = await stage.run({ verb: 'user list', json: true })
    expect(JSON.parse(json.out)).toMatchObject([{ email: 'alice@acme.com', role: 'administrator' }])
  })

  test('release and remove report what they did, and what to do next', async () => {
    await stage.serve(tableOperations())
    const released = await stage.run({ verb: 'user release', json: false, email: 'alice@acme.com' })
    expect(released.out).toBe(
      'Released alice@acme.com of Acme. The next person who signs in with this address takes over the user, as administrator. 2 sessions were ended.\n',
    )
    const removed = await stage.run({ verb: 'user remove', json: false, email: 'alice@acme.com' })
    expect(removed.out).toMatch(
      /^Removed alice@acme\.com of Acme\. 2 sessions were ended\. To keep this person out, .*\n$/,
    )
  })

  test('role reports the new role', async () => {
    const calls: unknown[] = []
    await stage.serve(tableOperations(calls))
    const request = { verb: 'user role', json: false, email: 'alice@acme.com', role: 'administrator' } as const
    expect((await stage.run(request)).out).toBe('alice@acme.com is an administrator of Acme.\n')
    expect(calls).toEqual([['setUserRole', { email: 'alice@acme.com', role: 'administrator' }]])
  })
})
