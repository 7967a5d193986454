import { Problem } from '../problem.js'

/** A restarted database is usually available again after this many seconds. */
const RETRY_AFTER = 5

/**
 * Prefixes of SQLSTATE codes that mean that the database is unavailable: lost connections, rejected logins, full disks, timeouts,
 * shutdowns, read-only replicas.
 */
const UNAVAILABLE = ['08', '28', '3D', '53', '57', '58', '25006', '25P03', '55P03']

/** Serialization failure and deadlock: the same work succeeds when it is repeated. */
const WORTH_REPEATING = ['40001', '40P01']

/** A query that the database rejects. It has the SQLSTATE and the constraint, but none of the values. */
export class QueryFailure extends Error {
  override readonly name = 'QueryFailure'
  readonly code: string
  readonly constraint: string | undefined

  constructor(message: string, code: string, constraint: string | undefined) {
    super(message)
    this.code = code
    this.constraint = constraint
  }
}

/**
 * Converts an error of a database driver: a `Problem` if the database is unavailable, otherwise a `QueryFailure`. The driver's
 * error is not passed on, because it can contain the values of the query.
 *
 * @example
 * try { … } catch (error) { throw explainQueryError(error) }
 */
export function explainQueryError(error: unknown): Problem | QueryFailure {
  if (error instanceof Problem || error instanceof QueryFailure) return error
  const { code, message, constraint } = error as { code?: unknown; message?: unknown; constraint?: unknown }
  const reason = typeof message === 'string' ? message : 'unknown error'
  const state = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]+$/.test(code) ? code : undefined
  // Without an SQLSTATE, the socket, the DNS lookup or the engine itself failed.
  if (state === undefined || UNAVAILABLE.some((start) => state.startsWith(start))) return databaseUnavailable(reason)
  return new QueryFailure(reason, state, typeof constraint === 'string' ? constraint : undefined)
}

export function isWorthRepeating(error: unknown): boolean {
  return error instanceof QueryFailure && WORTH_REPEATING.includes(error.code)
}

export function databaseUnavailable(reason: string): Problem {
  return new Problem(
    'unavailable',
    'The database is not available at the moment. Nothing was changed. Try again soon.',
    {
      retryAfter: RETRY_AFTER,
      cause: new Error(reason),
    },
  )
}

/** Each conflict means that another transaction has succeeded, so a few attempts are enough in practice. */
const ATTEMPTS = 5

/** Repeats work that fails because of a conflict with another transaction. */
export async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isWorthRepeating(error)) throw error
      if (attempt === ATTEMPTS) throw databaseUnavailable((error as Error).message)
    }
  }
}
