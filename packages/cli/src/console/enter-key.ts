import { isInBackground } from './ask.js'
import { isTerminal } from './output.js'

/** Listens no more. */
export type StopListening = () => void

/**
 * Calls a function whenever somebody presses Enter, with how many lines that has moved the cursor down: the terminal shows what is
 * typed, and Ctrl-C, Ctrl-Z and the rest do what they always do. Undefined where nobody can: standard input is no terminal, or
 * the job is in the background, which a read would stop.
 *
 * @example
 * const stop = onEnter(() => openBrowser(url))
 */
export function onEnter(pressed: (lines: number) => void): StopListening | undefined {
  if (!isTerminal(0) || isInBackground()) return undefined
  const { stdin } = process
  const listener = (data: Buffer) => {
    const lines = data.filter((byte) => byte === 0x0a).length
    if (lines > 0) pressed(lines)
  }
  stdin.on('data', listener)
  // A window that is closed.
  stdin.on('error', () => {})
  return () => {
    stdin.off('data', listener)
    stdin.pause()
  }
}
