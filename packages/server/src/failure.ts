/** What can go wrong on the command line: the word that starts the message, and the exit code. */
const EXIT_CODES = {
  Usage: 2,
  Config: 2,
  Operator: 1,
  Database: 1,
  Start: 1,
} as const

export type FailureKind = keyof typeof EXIT_CODES

/**
 * An error that is the operator's to solve: it is told as `<kind> error: <message>`, a line for each line of the message,
 * without a stack trace, and ends the command with its exit code. The message says what to do, and never a secret.
 *
 * @example
 * throw new Failure('Config', '--port: "http" is not a port: write a whole number from 0 to 65535')
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly kind: FailureKind
  /** What to do about it, on a line of its own. */
  readonly hint: string | undefined

  constructor(kind: FailureKind, message: string, options: ErrorOptions & { readonly hint?: string } = {}) {
    super(message, options)
    this.kind = kind
    this.hint = options.hint
  }

  get exitCode(): number {
    return EXIT_CODES[this.kind]
  }
}
