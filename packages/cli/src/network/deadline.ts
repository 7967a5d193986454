/** Ends what takes too long. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Something came: the silence begins anew. */
  refresh(): void
  stop(): void
}

/**
 * Starts the clock of a request: its signal aborts after `total` milliseconds, after `idle` of them in which nothing came, or
 * when `outer` does.
 *
 * @example
 * const deadline = startDeadline({ total: 120_000, idle: 15_000 })
 * try { for await (const part of body) deadline.refresh() } finally { deadline.stop() }
 */
export function startDeadline(
  { total, idle }: { readonly total: number; readonly idle: number },
  outer?: AbortSignal,
): Deadline {
  const ending = new AbortController()
  const end = () => ending.abort(Object.assign(new Error('the time is over'), { name: 'TimeoutError' }))
  const leave = () => ending.abort(outer?.reason)
  const whole = setTimeout(end, total)
  const silence = setTimeout(end, idle)
  if (outer?.aborted) leave()
  else outer?.addEventListener('abort', leave)
  return {
    signal: ending.signal,
    refresh: () => void silence.refresh(),
    stop() {
      outer?.removeEventListener('abort', leave)
      clearTimeout(whole)
      clearTimeout(silence)
    },
  }
}
