/** The signals that ask a server to stop: of systemd and containers, and of Ctrl-C. */
const STOP_SIGNALS = { SIGTERM: 15, SIGINT: 2 } as const

export type StopSignal = keyof typeof STOP_SIGNALS

export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown
}

/**
 * Resolves with the first signal to stop. Another one, from somebody who does not want to wait, calls `leave` with the exit
 * code that says so.
 *
 * @example
 * await stopSignal(process, (code) => process.exit(code))
 */
export function stopSignal(source: SignalSource, leave: (exitCode: number) => void): Promise<StopSignal> {
  return new Promise((resolve) => {
    let asked = false
    for (const [signal, number] of Object.entries(STOP_SIGNALS) as [StopSignal, number][]) {
      source.on(signal, () => {
        if (asked) leave(128 + number)
        asked = true
        resolve(signal)
      })
    }
  })
}
