import type { Clock } from '../../clock.js'
import type { LoadedSettings } from '../../settings/load-settings.js'
import type { Console } from '../console.js'
import type { Reach } from '../reach.js'

/** What an operator's command works with. */
export interface CommandContext {
  readonly console: Console
  readonly clock: Clock
  readonly loaded: LoadedSettings
  readonly reach: Reach
  /** Print JSON for programs instead of text for people. */
  readonly json: boolean
  /** Waits; rejects when the command is interrupted. */
  readonly pause: (milliseconds: number) => Promise<void>
}

/** Prints a result: JSON for programs, or the text that `render` makes of it. */
export function print<T>({ console, json }: CommandContext, result: T, render: (result: T) => string): void {
  console.out(json ? `${JSON.stringify(result, null, 2)}\n` : render(result))
}
