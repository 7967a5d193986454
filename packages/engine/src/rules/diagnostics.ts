import type { RulesWarning } from './compiled.js'
import { createLocator } from './document/position.js'
import type { ProblemCode, RulesProblem } from './error.js'

/** Collects what is wrong with the documents of one file. `at` is an offset in the text of the file. */
export interface Diagnostics {
  /** Something that keeps the file from loading. */
  problem(code: ProblemCode, at: number, message: string): void
  /** Something that every user should see. */
  warn(at: number, message: string): void
  /** Something that matters only to the author. */
  lint(at: number, message: string): void
  /** The same diagnostics, naming a rule. */
  about(creId: string): Diagnostics
}

/** The diagnostics of all files. */
export interface DiagnosticLists {
  readonly problems: Located<RulesProblem>[]
  readonly warnings: Located<RulesWarning>[]
  readonly lint: Located<RulesWarning>[]
}

interface Located<T> {
  readonly fileNumber: number
  readonly at: number
  readonly diagnostic: T
}

/** A hostile file can be wrong in millions of places; no reader needs more than this. */
const MAX_DIAGNOSTICS = 10_000

export function createDiagnosticLists(): DiagnosticLists {
  return { problems: [], warnings: [], lint: [] }
}

/** Makes the collector for one file. */
export function diagnosticsOf(all: DiagnosticLists, file: string, text: string, fileNumber: number): Diagnostics {
  const locate = createLocator(text)
  const about = (creId?: string): Diagnostics => {
    const place = (at: number) => ({ file, ...locate(at), ...(creId === undefined ? {} : { creId }) })
    const add = <T>(list: Located<T>[], at: number, diagnostic: () => T): void => {
      if (list.length < MAX_DIAGNOSTICS) list.push({ fileNumber, at, diagnostic: diagnostic() })
    }
    return {
      problem: (code, at, message) => add(all.problems, at, () => ({ code, ...place(at), message })),
      warn: (at, message) => add(all.warnings, at, () => ({ ...place(at), message })),
      lint: (at, message) => add(all.lint, at, () => ({ ...place(at), message })),
      about,
    }
  }
  return about()
}

/** The diagnostics, in the order of the files and of the offsets in them. */
export function inOrder<T>(list: readonly Located<T>[]): T[] {
  return list.toSorted((a, b) => a.fileNumber - b.fileNumber || a.at - b.at).map(({ diagnostic }) => diagnostic)
}
