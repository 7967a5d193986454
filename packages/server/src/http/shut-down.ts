import type { FastifyInstance } from 'fastify'

/** As long as a request may take at most, so that none is cut off without need; below the 30 s that Kubernetes waits. */
const DEADLINE_MS = 25_000

/**
 * Ends a server in peace: `/readyz` says no, no connection is accepted any more, requests in flight finish, and what is not done
 * at the deadline is cut off. Says whether that was needed. A second call waits for the first.
 *
 * @example
 * process.once('SIGTERM', async () => {
 *   await shutDown(app)
 *   await database.close()
 * })
 */
export async function shutDown(
  app: FastifyInstance,
  { deadlineMs = DEADLINE_MS }: { readonly deadlineMs?: number } = {},
): Promise<{ readonly cutOff: boolean }> {
  let cutOff = false
  app.life.draining = true
  const timer = setTimeout(() => {
    cutOff = true
    app.server.closeAllConnections()
  }, deadlineMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
  return { cutOff }
}
