import { Problem } from '../problem.js'

/** After this many seconds a database that was restarted is usually back. */
const RETRY_AFTER = 5

/**
 * The states (SQLSTATE, by their beginning) that say nothing about the query but that the database cannot serve now: lost
 * connections, refused logins, full disks, time-outs, a shutdown, a replica that was never to be written to.
 */
const UNAVAILABLE = ['08', '28', '3D', '53', '57', '58', '25006', '25P03', '55P03']

/** Serialization failure and deadlock: the same work succeeds when it is done again. */
const WORTH_REPEATING = ['40001', '40P01']

/** A query that the database refuses. It carries the state and the constraint, and none of the values. */
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
 * What an error of a database driver means to the caller: a `Problem` where the database is away, else a `QueryFailure`.
 * The driver's own error is not passed on, because it can hold the values of the query.
 *
 * @example
 * try { … } catch (error) { throw explainQueryError(error) }
 */
export function explainQueryError(error: unknown): Problem | QueryFailure {
  if (error instanceof Problem || error instanceof QueryFailure) return error
  const { code, message, constraint } = error as { code?: unknown; message?: unknown; constraint?: unknown }
  const words = typeof message === 'string' ? message : 'unknown error'
  const state = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]+$/.test(code) ? code : undefined
  // Without a state the database never answered: the socket, the name or the engine itself failed.
  if (state === undefined || UNAVAILABLE.some((start) => state.startsWith(start))) return databaseAway(words)
  return new QueryFailure(words, state, typeof constraint === 'string' ? constraint : undefined)
}

export function isWorthRepeating(error: unknown): boolean {
  return error instanceof QueryFailure && WORTH_REPEATING.includes(error.code)
}

export function databaseAway(reason: string): Problem {
  return new Problem(
    'unavailable',
    'The database is not available at the moment. Nothing was changed: try again soon.',
    {
      retryAfter: RETRY_AFTER,
      cause: new Error(reason),
    },
  )
}
