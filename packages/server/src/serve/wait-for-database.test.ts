import { describe, expect, test } from 'vitest'
import { Failure } from '../failure.js'
import { Problem } from '../problem.js'
import { waitForDatabase } from './wait-for-database.js'

const away = (reason: string) => new Problem('unavailable', 'The database is away.', { cause: new Error(reason) })

/** Has the outcomes one after the other, and then repeats the last one. */
async function wait(outcomes: readonly (Error | string)[]) {
  const reported: string[] = []
  let waited = 0
  let tries = 0
  const result = await waitForDatabase(
    async () => {
      const outcome = outcomes[Math.min(tries++, outcomes.length - 1)]
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    {
      where: 'postgres://db/omen',
      report: (line) => reported.push(line),
      pause: async (milliseconds) => {
        waited += milliseconds
      },
    },
  ).catch((error: unknown) => error)
  return { result, reported, waited, tries }
}

describe('a database', () => {
  test('that is available is used at once', async () => {
    expect(await wait(['done'])).toEqual({ result: 'done', reported: [], waited: 0, tries: 1 })
  })

  test('that becomes available later is waited for, a little longer each time', async () => {
    expect(await wait([away('connect ECONNREFUSED'), away('the database system is starting up'), 'done'])).toEqual({
      result: 'done',
      reported: [
        'The database at postgres://db/omen is not available (connect ECONNREFUSED). Trying again in 0.25 s.',
        'The database at postgres://db/omen is not available (the database system is starting up). Trying again in 0.5 s.',
      ],
      waited: 750,
      tries: 3,
    })
  })

  test('that does not become available is a failure after a minute', async () => {
    const { result, waited } = await wait([away('connect ECONNREFUSED')])
    expect(waited).toBeGreaterThanOrEqual(59_000)
    expect(waited).toBeLessThanOrEqual(61_000)
    expect(result).toBeInstanceOf(Failure)
    expect(result).toMatchObject({
      exitCode: 1,
      message: 'the database at postgres://db/omen is not available: connect ECONNREFUSED',
      hint: 'Start it, or check DATABASE_URL.',
    })
  })

  test.each([
    'password authentication failed for user "omen"',
    'database "omen" does not exist',
    'role "x" does not exist',
  ])('that rejects the connection is reported at once: %s', async (reason) => {
    const { result, waited } = await wait([away(reason)])
    expect(waited).toBe(0)
    expect(result).toMatchObject({ kind: 'Database', message: `${reason}: check DATABASE_URL` })
  })

  test('that fails otherwise rejects at once', async () => {
    const failure = new Failure('Database', 'the database is from a newer version')
    expect(await wait([failure])).toMatchObject({ result: failure, tries: 1 })
  })
})
