import { describe, expect, test } from 'vitest'
import { NOW, RECORDS, tableOperations, useOperatorStage } from '../../../test/operator/stage.js'
import { Failure } from '../../failure.js'
import { DatabaseInUse } from '../../store/database.js'
import type { Console } from '../console.js'
import { type OperatorRequest, runCommand } from '../run-command.js'

const stage = useOperatorStage()

describe('the command audit', () => {
  test('prints a table, oldest first', async () => {
    await stage.serve(tableOperations())
    expect((await stage.run({ verb: 'audit', lines: '50', json: false })).out).toBe(`\
AT (UTC)             ACTOR     ACTION        ORGANIZATION  DETAIL
2026-02-01 10:00:00  operator  code.issued   Acme          code=c1
2026-02-01 10:05:00  operator  keys.rotated  -             reencrypted=2
`)
  })

  test.each([
    ['2h', '2026-03-01T10:00:00.000Z'],
    ['7d', '2026-02-22T12:00:00.000Z'],
    ['2026-02-01', '2026-02-01T00:00:00.000Z'],
    ['2026-02-01T01:00:00+01:00', '2026-02-01T00:00:00.000Z'],
  ])('with --since %s shows records from %s on', async (since, expected) => {
    const calls: unknown[] = []
    await stage.serve(tableOperations(calls))
    await stage.run({ verb: 'audit', lines: '5', since, org: 'Acme', action: 'code.issued', json: true })
    expect(calls).toEqual([['audit', { org: 'Acme', action: 'code.issued', since: expected }]])
  })

  test.each([
    [
      { since: 'yesterday' },
      '--since: "yesterday" is not a time: write 30m, 2h, 7d, 2026-03-01 or 2026-03-01T12:00:00Z',
    ],
    [
      { since: '2026-02-30' },
      '--since: "2026-02-30" is not a time: write 30m, 2h, 7d, 2026-03-01 or 2026-03-01T12:00:00Z',
    ],
    [{ lines: '0' }, '--lines: "0" is not a whole number from 1 to 10000'],
    [{ lines: 'all' }, '--lines: "all" is not a whole number from 1 to 10000'],
  ])('with the options %j is rejected', async (options, message) => {
    const outcome = stage.run({ verb: 'audit', lines: '50', json: false, ...options })
    await expect(outcome).rejects.toMatchObject({ exitCode: 2, message })
  })

  test('with --follow prints each new record once, also after the server was unavailable', async () => {
    const records = [...RECORDS]
    const written: string[] = []
    let rounds = 0
    const pause = async () => {
      rounds += 1
      if (rounds === 1) await stage.close()
      if (rounds === 2) {
        records.push({ ...RECORDS[0]!, id: '3', action: 'code.revoked' })
        await stage.serve(tableOperations([], records))
      }
      if (rounds === 4) throw new Failure('Operator', 'interrupted')
    }
    await stage.serve(tableOperations([], records))
    const loaded = stage.loaded()
    const console: Console = { out: (text) => written.push(text), error() {}, canAsk: false, ask: async () => '' }
    const request: OperatorRequest = { verb: 'audit', lines: '1', follow: true, json: true }
    const open = () => Promise.reject(new DatabaseInUse(stage.folder()))
    await expect(runCommand(request, { loaded, console, clock: () => NOW, open, pause })).rejects.toThrow('interrupted')
    // The stub returns the oldest records first: -n 1 shows the first one, then the others follow.
    expect(written.map((line) => JSON.parse(line).id)).toEqual(['1', '2', '3'])
  })
})
