/** What can go wrong: the word that starts the message, and the exit code. */
const EXIT_CODES = {
  Usage: 2,
  Config: 1,
  Rules: 1,
  Data: 1,
  State: 1,
  Output: 1,
  Network: 1,
  Cluster: 1,
} as const

export type FailureKind = keyof typeof EXIT_CODES

/**
 * An error that is the user's to solve: it is told as `<kind> error: <message>` without a stack trace, and ends the run with
 * its exit code. The message names the file, line or field, and says what to do.
 *
 * @example
 * throw new Failure('Config', 'config.yaml:3:5: skip is a whole number, not "many"')
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly kind: FailureKind
  /** What to do about it, on a line of its own: for messages whose words are agreed. */
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
