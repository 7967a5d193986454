export interface FailureOptions extends ErrorOptions {
  /** What to do about it, printed on a line of its own. */
  readonly hint?: string
}

/**
 * Makes the error class of a program for errors that its user can solve. The program prints `<kind> error: <message>` without a
 * stack trace and ends with the exit code of the kind. The message names the file, line or field, says what to do, and never
 * contains a secret.
 *
 * @example
 * const Failure = defineFailure({ Usage: 2, Config: 1 })
 * throw new Failure('Config', 'config.yaml:3:5: skip is a whole number, not "many"')
 */
export function defineFailure<const Codes extends Readonly<Record<string, number>>>(exitCodes: Codes) {
  return class Failure extends Error {
    override readonly name = 'Failure'
    readonly kind: keyof Codes & string
    readonly hint: string | undefined

    constructor(kind: keyof Codes & string, message: string, options: FailureOptions = {}) {
      super(message, options)
      this.kind = kind
      this.hint = options.hint
    }

    get exitCode(): number {
      return exitCodes[this.kind]!
    }
  }
}
