/**
 * Calls a function ten times a second, whenever the event loop is free, without keeping the process alive.
 *
 * @example
 * createProgress(screen, { quiet, clock: monotonic, tick: startTicking })
 */
export function startTicking(redraw: () => void): () => void {
  const timer = setInterval(redraw, 100).unref()
  return () => clearInterval(timer)
}
