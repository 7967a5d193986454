import { Failure } from '../failure.js'
import { Problem } from '../problem.js'

export interface WaitOptions {
  /** Where the database is, in words without a secret. */
  readonly where: string
  /** Told before each wait. */
  readonly tell: (line: string) => void
  readonly pause: (milliseconds: number) => Promise<void>
}

/**
 * How long is waited before each further try, in milliseconds: a minute in all. A database that starts together with the service
 * is there by then; what is wrong for longer needs somebody to look.
 */
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000, 4000]

/**
 * Does work that needs the database, and again for about a minute while the database is away. Any other error ends it at once.
 *
 * @example
 * await waitForDatabase(() => migrate(database, { clock }), { where: 'postgres://db/omen', tell, pause })
 */
export async function waitForDatabase<T>(work: () => Promise<T>, { where, tell, pause }: WaitOptions): Promise<T> {
  for (const milliseconds of PAUSES_MS) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error)) throw error
      tell(`The database at ${where} does not answer (${reasonOf(error)}). Trying again in ${milliseconds / 1000} s.`)
      await pause(milliseconds)
    }
  }
  return work().catch((error: unknown) => {
    throw isAway(error) ? givenUp(where, error) : error
  })
}

/** The reasons that waiting does not cure, as PostgreSQL words them: a wrong password or name is told at once. */
const WRONG_SETTING = /authentication failed|no pg_hba\.conf entry|(role|database) ".*" does not exist|SSL/i

function isAway(error: unknown): error is Problem {
  if (!(error instanceof Problem) || error.code !== 'unavailable') return false
  if (WRONG_SETTING.test(reasonOf(error))) throw new Failure('Database', `${reasonOf(error)}: check DATABASE_URL`)
  return true
}

function reasonOf({ cause, message }: Problem): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

function givenUp(where: string, error: Problem): Failure {
  return new Failure('Database', `the database at ${where} does not answer: ${reasonOf(error)}`, {
    hint: 'Start it, or check DATABASE_URL.',
  })
}
