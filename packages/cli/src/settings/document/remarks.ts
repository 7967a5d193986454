import { createLocator, type Position } from '@omen/engine'
import { Failure, type FailureKind } from '../../failure.js'

/** More of them help nobody: the file is not what it is taken for. */
const MOST = 100

/** What is to be said about a file, each remark as `file:line:column: message`, in the order of the file. */
export interface Remarks {
  /** Something that has to be put right. */
  problem(at: number, message: string): void
  /** Something that is ignored. */
  warn(at: number, message: string): void
  /** Everything there is to say when there are problems: an unknown key is often the reason why a known one is missing. */
  problems(): readonly string[]
  warnings(): readonly string[]
  locate(at: number): Position
}

interface Remark {
  readonly at: number
  readonly message: string
}

/** Collects what is to be said about the file `name`; offsets are those of `text`. */
export function createRemarks(name: string, text: string): Remarks {
  const problems: Remark[] = []
  const warnings: Remark[] = []
  const locate = createLocator(text)

  function tell(remarks: readonly Remark[]): string[] {
    const told = remarks
      .toSorted((a, b) => a.at - b.at)
      .slice(0, MOST)
      .map(({ at, message }) => {
        const { line, column } = locate(at)
        // A remark is one line, and whatever a parser repeats from the file must not act on a terminal.
        return `${name}:${line}:${column}: ${message}`.replace(/\p{Cc}/gu, '\ufffd')
      })
    const more = remarks.length - told.length
    return more === 0 ? told : [...told, `${name}: ${more} more remarks are not shown`]
  }

  return {
    problem: (at, message) => void problems.push({ at, message }),
    warn: (at, message) => void warnings.push({ at, message }),
    problems: () => (problems.length === 0 ? [] : tell([...problems, ...warnings])),
    warnings: () => tell(warnings),
    locate,
  }
}

/**
 * Throws one failure for all problems of a file: its message has a line for each. Does nothing when there are none.
 *
 * @example
 * throwProblems('Config', remarks.problems())
 */
export function throwProblems(kind: FailureKind, problems: readonly string[]): void {
  if (problems.length > 0) throw new Failure(kind, problems.join('\n'))
}
