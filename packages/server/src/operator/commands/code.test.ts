import { describe, expect, test } from 'vitest'
import { CODES, tableOperations, useOperatorStage } from '../../../test/operator/stage.js'

const stage = useOperatorStage()

describe('the command code', () => {
  test('issue shows the code once, with the onboarding URL of the running server', async () => {
    await stage.serve(tableOperations())
    const { out } = await stage.run({ verb: 'code issue', org: 'Acme', expires: '2026-12-31', json: false })
    expect(out).toBe(`\
Code     K7QF2M-9XTR4B
For      Acme
Domain   any
Expires  2026-12-31: it works until that day begins (UTC)

This is the only time that the code is shown. Give it to the administrator of Acme, who continues at
  https://start.example.com/#code=K7QF2M-9XTR4B
or with
  curl 'https://start.example.com/v1/auth/validate?code=K7QF2M-9XTR4B'
`)
  })

  test('issue --json prints JSON', async () => {
    const calls: unknown[] = []
    await stage.serve(tableOperations(calls))
    const request = { org: 'Acme', expires: '2026-12-31', domain: 'acme.com' }
    const { out, error } = await stage.run({ verb: 'code issue', ...request, json: true })
    expect(JSON.parse(out)).toEqual({ id: 'c3', code: 'K7QF2M-9XTR4B', ...request })
    expect(error).toBe('')
    expect(calls).toEqual([['issueCode', request]])
  })

  test.each([
    ['2026-03-01', '--expires: 2026-03-01 is not after today, 2026-03-01 (UTC): no code was issued'],
    ['2025-12-31', '--expires: 2025-12-31 is not after today, 2026-03-01 (UTC): no code was issued'],
    ['2026-02-30', '--expires: the day 2026-02-30 does not exist: write it as YYYY-MM-DD, such as 2026-03-31'],
    ['31.12.2026', '--expires: "31.12.2026" is not a date: write it as YYYY-MM-DD, such as 2026-03-31'],
    ['', '--expires: "" is not a date: write it as YYYY-MM-DD, such as 2026-03-31'],
  ])('issue --expires %j is rejected and issues no code', async (expires, message) => {
    const calls: unknown[] = []
    await stage.serve(tableOperations(calls))
    const issuing = stage.run({ verb: 'code issue', org: 'Acme', expires, json: false })
    await expect(issuing).rejects.toMatchObject({ kind: 'Usage', exitCode: 2, message })
    expect(calls).toEqual([])
  })

  test('list prints a table that control characters in a name cannot break', async () => {
    await stage.serve(tableOperations())
    const { out } = await stage.run({ verb: 'code list', json: false })
    expect(out).toBe(`\
ID  ORGANIZATION  DOMAIN    STATE      EXPIRES     ISSUED (UTC)
c1  Acme          acme.com  completed  2026-12-31  2026-02-01 10:00:00
c2  株式会社\ufffd[2J  any       issued     2026-04-01  2026-02-02 10:00:00
`)
    expect(JSON.parse((await stage.run({ verb: 'code list', json: true })).out)).toEqual(CODES)
  })

  test('list without codes says how to issue one', async () => {
    await stage.serve({ ...tableOperations(), listCodes: async () => [] })
    expect((await stage.run({ verb: 'code list', json: false })).out).toBe(
      'No codes yet. To issue one: omen-server code issue --org "Acme" --expires 2026-03-31\n',
    )
    expect((await stage.run({ verb: 'code list', json: true })).out).toBe('[]\n')
  })

  test('revoke reports what it ended, and rejects an unknown code', async () => {
    await stage.serve(tableOperations())
    const { out } = await stage.run({ verb: 'code revoke', code: 'c2', json: false })
    expect(out).toBe('Revoked the code c2 of 株式会社\ufffd[2J. Its tokens no longer work either.\n')
    const revoking = stage.run({ verb: 'code revoke', code: 'nope', json: false })
    await expect(revoking).rejects.toMatchObject({ name: 'Problem', code: 'invalid_code' })
  })
})
