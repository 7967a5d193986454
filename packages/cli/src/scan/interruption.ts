/** Signals that ask a program to stop, and the exit codes that tell of it: 128 and the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

type StopSignal = keyof typeof EXIT_CODES

/** A wish to stop: what was found so far is still told. */
export interface Interruption {
  readonly signal: AbortSignal
  /** The exit code once it was asked for. */
  readonly exitCode: number | undefined
  /** Listens no more. */
  release(): void
}

/**
 * Turns Ctrl-C and its like into an abort signal. The second time it ends the process at once: whoever presses it again does
 * not want to wait.
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
