/** An output and its capabilities. */
export interface Screen {
  /** Whether live lines can be redrawn. */
  readonly isTerminal: boolean
  readonly colours: boolean
  /** The current width in characters, which changes when a window is resized; 80 if unknown. */
  readonly columns: number
  /** The current height in lines; live lines assume 24 if it is undefined. */
  readonly rows?: number
  write(text: string): void
}

/** What a screen needs from a stream; `process.stdout` and `Output` provide it. */
export interface ScreenStream {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  write(text: string): unknown
}

export type Environment = Readonly<Record<string, string | undefined>>

const DEFAULT_COLUMNS = 80
const DEFAULT_ROWS = 24

/** A larger value of `COLUMNS` is an error, and would only use memory. */
const MOST_COLUMNS = 10_000

/** The values of `FORCE_COLOR` that turn colours off. */
const FORCED_OFF = new Set(['0', 'false'])

/**
 * Detects the capabilities of a stream. Terminals have colours; `FORCE_COLOR` turns them on anywhere and overrides `NO_COLOR`, as
 * in Node.js; empty variables count as unset. `TERM=dumb` has neither colours nor live lines.
 *
 * @example
 * const screen = openScreen(openOutput(1), process.env)
 * screen.write(`${truncate(title, screen.columns)}\n`)
 */
export function openScreen(stream: ScreenStream, env: Environment): Screen {
  const isTerminal = stream.isTTY === true && env.TERM !== 'dumb'
  return {
    isTerminal,
    colours: requestedColours(env) ?? isTerminal,
    get columns() {
      // A pseudo-terminal without a size reports 0.
      return Math.min(stream.columns || wholeNumber(env.COLUMNS) || DEFAULT_COLUMNS, MOST_COLUMNS)
    },
    get rows() {
      return stream.rows || wholeNumber(env.LINES) || DEFAULT_ROWS
    },
    write: (text) => void stream.write(text),
  }
}

function requestedColours({ FORCE_COLOR, NO_COLOR }: Environment): boolean | undefined {
  if (FORCE_COLOR) return !FORCED_OFF.has(FORCE_COLOR)
  return NO_COLOR ? false : undefined
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
