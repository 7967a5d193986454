/** Where the commands write and ask. */
export interface Console {
  /** To standard output: what was asked for. */
  out(text: string): void
  /** To standard error: everything else. */
  error(text: string): void
  /** Whether a person sits there who can answer a question. */
  readonly canAsk: boolean
  /** Asks on standard error; resolves with the line that was typed, empty at the end of input. */
  ask(question: string): Promise<string>
}
