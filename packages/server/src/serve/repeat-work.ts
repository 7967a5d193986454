/**
 * Runs work now, and again a fixed time after it is done, until the returned function is called. It does not keep the process alive.
 *
 * @example
 * const stop = repeatWork(() => endExpiredTests(deps), { everyMs: 60_000, onError })
 */
export function repeatWork(
  work: () => Promise<void>,
  { everyMs, onError }: { readonly everyMs: number; readonly onError: (error: unknown) => void },
): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const run = () => {
    running = work()
      .catch((error: unknown) => {
        if (!stopped) onError(error)
      })
      .then(() => {
        if (!stopped) timer = setTimeout(run, everyMs).unref()
      })
  }
  run()
  return () => {
    stopped = true
    clearTimeout(timer)
    return running
  }
}
