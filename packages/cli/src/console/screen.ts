/** Where text goes, and what can be shown there. */
export interface Screen {
  /** Live lines can be redrawn. */
  readonly isTerminal: boolean
  readonly colours: boolean
  /** Characters in a line; 80 where nobody knows. Asked for anew each time: a window can be resized. */
  readonly columns: number
  /** Lines of the window; live lines take 24 where it is not known. */
  readonly rows?: number
  write(text: string): void
}

/** What a screen needs of a stream. `process.stdout` has it, and so has an `Output`. */
export interface ScreenStream {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  write(text: string): unknown
}

export type Environment = Readonly<Record<string, string | undefined>>

const USUAL_COLUMNS = 80
const USUAL_ROWS = 24

/** Wider lines than this are a mistake in `COLUMNS`, and would only cost memory. */
const MOST_COLUMNS = 10_000

/** The values of `FORCE_COLOR` that mean the opposite. */
const FORCED_OFF = new Set(['0', 'false'])

/**
 * Finds out what can be shown on a stream. Colours are for terminals; `FORCE_COLOR` asks for them anywhere and wins over
 * `NO_COLOR`, as in Node.js itself; empty variables count as absent. `TERM=dumb` has neither colours nor live lines.
 *
 * @example
 * const screen = openScreen(openOutput(1), process.env)
 * screen.write(`${truncate(title, screen.columns)}\n`)
 */
export function openScreen(stream: ScreenStream, env: Environment): Screen {
  const isTerminal = stream.isTTY === true && env.TERM !== 'dumb'
  return {
    isTerminal,
    colours: coloursAskedFor(env) ?? isTerminal,
    get columns() {
      // A pseudo-terminal without a size says 0.
      return Math.min(stream.columns || wholeNumber(env.COLUMNS) || USUAL_COLUMNS, MOST_COLUMNS)
    },
    get rows() {
      return stream.rows || wholeNumber(env.LINES) || USUAL_ROWS
    },
    write: (text) => void stream.write(text),
  }
}

function coloursAskedFor({ FORCE_COLOR, NO_COLOR }: Environment): boolean | undefined {
  if (FORCE_COLOR) return !FORCED_OFF.has(FORCE_COLOR)
  return NO_COLOR ? false : undefined
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
