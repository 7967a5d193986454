/** The signals that stop a server: SIGTERM from systemd and containers, SIGINT from Ctrl-C. */
const STOP_SIGNALS = { SIGTERM: 15, SIGINT: 2 } as const

export type StopSignal = keyof typeof STOP_SIGNALS

export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown
}

/**
 * Resolves with the first signal. A second signal calls `exit` with the exit code of the signal.
 *
 * @example
 * await stopSignal(process, (code) => process.exit(code))
 */
export function stopSignal(source: SignalSource, exit: (exitCode: number) => void): Promise<StopSignal> {
  return new Promise((resolve) => {
    let isStopping = false
    for (const [signal, number] of Object.entries(STOP_SIGNALS) as [StopSignal, number][]) {
      source.on(signal, () => {
        if (isStopping) exit(128 + number)
        isStopping = true
        resolve(signal)
      })
    }
  })
}
