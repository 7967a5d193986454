/** Signals that ask a program to stop, and their exit codes: 128 plus the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

type StopSignal = keyof typeof EXIT_CODES

/** A request to stop. What was found so far is still reported. */
export interface Interruption {
  readonly signal: AbortSignal
  /** The exit code, once a signal was received. */
  readonly exitCode: number | undefined
  /** Stops listening. */
  release(): void
}

/**
 * Turns Ctrl-C and the other stop signals into an abort signal. The second signal ends the process at once.
 *
 * @example
 * const interruption = catchInterruption(process)
 * await scan(interruption.signal)
 */
export function catchInterruption(events: NodeJS.Process): Interruption {
  const controller = new AbortController()
  let exitCode: number | undefined
  const listeners = (Object.keys(EXIT_CODES) as StopSignal[]).map((name) => {
    const listener = () => {
      if (exitCode !== undefined) events.exit(EXIT_CODES[name])
      exitCode = EXIT_CODES[name]
      controller.abort()
    }
    events.on(name, listener)
    return [name, listener] as const
  })
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    release() {
      for (const [name, listener] of listeners) events.off(name, listener)
    },
  }
}
