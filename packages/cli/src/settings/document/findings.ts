import { createLocator, type Position } from '@omen/engine'
import { Failure, type FailureKind } from '../../failure.js'

/** Further findings would not help: the file is probably something else. */
const MOST = 100

/** The errors and warnings of a file, each as `file:line:column: message`, in the order of the file. */
export interface Findings {
  /** Adds something that must be fixed. */
  error(at: number, message: string): void
  /** Adds something that is ignored. */
  warn(at: number, message: string): void
  /** All findings if there are errors: an unknown key is often the reason why a known one is missing. */
  errors(): readonly string[]
  warnings(): readonly string[]
  locate(at: number): Position
}

interface Finding {
  readonly at: number
  readonly message: string
}

/** Collects findings about the file `name`; offsets are those of `text`. */
export function createFindings(name: string, text: string): Findings {
  const errors: Finding[] = []
  const warnings: Finding[] = []
  const locate = createLocator(text)

  function describe(findings: readonly Finding[]): string[] {
    const lines = findings
      .toSorted((a, b) => a.at - b.at)
      .slice(0, MOST)
      .map(({ at, message }) => {
        const { line, column } = locate(at)
        // A finding is one line, and text that a parser repeats from the file must not control a terminal.
        return `${name}:${line}:${column}: ${message}`.replace(/\p{Cc}/gu, '\ufffd')
      })
    const more = findings.length - lines.length
    if (more === 0) return lines
    return [...lines, `${name}: ${more} more ${more === 1 ? 'finding is' : 'findings are'} not shown`]
  }

  return {
    error: (at, message) => void errors.push({ at, message }),
    warn: (at, message) => void warnings.push({ at, message }),
    errors: () => (errors.length === 0 ? [] : describe([...errors, ...warnings])),
    warnings: () => describe(warnings),
    locate,
  }
}

/**
 * Throws one failure for all errors of a file, with a line for each. Does nothing if there are none.
 *
 * @example
 * throwErrors('Config', findings.errors())
 */
export function throwErrors(kind: FailureKind, errors: readonly string[]): void {
  if (errors.length > 0) throw new Failure(kind, errors.join('\n'))
}
