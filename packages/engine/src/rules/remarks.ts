import type { RulesWarning } from './compiled.js'
import { createLocator } from './document/position.js'
import type { ProblemCode, RulesProblem } from './error.js'

/** What there is to say about the documents of one file, with the place of each remark given as an offset. */
export interface Remarks {
  /** Something that keeps the file from loading. */
  problem(code: ProblemCode, at: number, message: string): void
  /** Something that every user should see. */
  warn(at: number, message: string): void
  /** Something that only the author cares about. */
  lint(at: number, message: string): void
  /** The same place to speak, naming a rule. */
  about(creId: string): Remarks
}

/** Everything that was said about all files, in the order of the files and of the places in them. */
export interface RemarkLists {
  readonly problems: Placed<RulesProblem>[]
  readonly warnings: Placed<RulesWarning>[]
  readonly lint: Placed<RulesWarning>[]
}

interface Placed<T> {
  readonly fileNumber: number
  readonly at: number
  readonly remark: T
}

/** A hostile file can be wrong in millions of places; nobody reads more than this. */
const MAX_REMARKS = 10_000

export function createRemarkLists(): RemarkLists {
  return { problems: [], warnings: [], lint: [] }
}

/** Opens the remarks about one file. */
export function remarksOn(all: RemarkLists, file: string, text: string, fileNumber: number): Remarks {
  const locate = createLocator(text)
  const about = (creId?: string): Remarks => {
    const place = (at: number) => ({ file, ...locate(at), ...(creId === undefined ? {} : { creId }) })
    const add = <T>(list: Placed<T>[], at: number, remark: () => T): void => {
      if (list.length < MAX_REMARKS) list.push({ fileNumber, at, remark: remark() })
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

/** The remarks themselves, in reading order. */
export function inOrder<T>(list: readonly Placed<T>[]): T[] {
  return list.toSorted((a, b) => a.fileNumber - b.fileNumber || a.at - b.at).map(({ remark }) => remark)
}
