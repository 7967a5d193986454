/**
 * Does work now and again every so often, never twice at once, until it is told to stop. It keeps no process alive.
 *
 * @example
 * const stop = repeatWork(() => forgetExpiredTests(parts), { everyMs: 60_000, onError })
 */
export function repeatWork(
  work: () => Promise<void>,
  { everyMs, onError }: { readonly everyMs: number; readonly onError: (error: unknown) => void },
): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const round = () => {
    running = work()
      .catch((error: unknown) => {
        if (!stopped) onError(error)
      })
      .then(() => {
        if (!stopped) timer = setTimeout(round, everyMs).unref()
      })
  }
  round()
  return () => {
    stopped = true
    clearTimeout(timer)
    return running
  }
}
