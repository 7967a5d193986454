import { Failure } from '../failure.js'
import { Problem } from '../problem.js'

export interface WaitOptions {
  /** The address of the database, without secrets. */
  readonly where: string
  /** Called with a line before each wait. */
  readonly report: (line: string) => void
  readonly pause: (milliseconds: number) => Promise<void>
}

/**
 * The waits between attempts, in milliseconds: a minute in total, enough for a database that starts together with the service.
 */
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000, 4000]

/**
 * Runs work that needs the database, and repeats it for about a minute while the database is not available. Any other error
 * rejects at once.
 *
 * @example
 * await waitForDatabase(() => migrate(database, { clock }), { where: 'postgres://db/omen', report, pause })
 */
export async function waitForDatabase<T>(work: () => Promise<T>, { where, report, pause }: WaitOptions): Promise<T> {
  for (const milliseconds of PAUSES_MS) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      report(
        `The database at ${where} is not available (${reasonOf(error)}). Trying again in ${milliseconds / 1000} s.`,
      )
      await pause(milliseconds)
    }
  }
  return work().catch((error: unknown) => {
    throw isUnavailable(error) ? timedOut(where, error) : error
  })
}

/** Messages of PostgreSQL about wrong settings, such as a password: waiting does not help. */
const WRONG_SETTING = /authentication failed|no pg_hba\.conf entry|(role|database) ".*" does not exist|SSL/i

function isUnavailable(error: unknown): error is Problem {
  if (!(error instanceof Problem) || error.code !== 'unavailable') return false
  if (WRONG_SETTING.test(reasonOf(error))) throw new Failure('Database', `${reasonOf(error)}: check DATABASE_URL`)
  return true
}

function reasonOf({ cause, message }: Problem): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

function timedOut(where: string, error: Problem): Failure {
  return new Failure('Database', `the database at ${where} is not available: ${reasonOf(error)}`, {
    hint: 'Start it, or check DATABASE_URL.',
  })
}
