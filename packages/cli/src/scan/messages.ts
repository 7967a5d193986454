import type { Warn, WarningSubject } from '@omen/engine'
import { errorLine } from '../console/standard-error.js'
import type { Session } from '../session.js'
import type { Source } from '../sources/source.js'

/** The warnings of a scan about its data and its rules. */
export interface ScanWarnings {
  readonly warn: Warn
  /** How many there were, printed or not. */
  readonly count: number
}

/**
 * Counts warnings about data and rules. `--strict` makes them decide the exit code, so they are then printed even with `-q`; a
 * warning that a rule was dropped always is, because the result is not what it seems.
 */
export function createScanWarnings(print: Session['warn'], { strict }: { readonly strict: boolean }): ScanWarnings {
  let count = 0
  return {
    warn(message, subject) {
      count++
      print(message, { always: strict || subject === 'rule' })
    },
    get count() {
      return count
    },
  }
}

/** Prints what a scan reports on standard error about its sources. */
export interface ScanMessages {
  problem(source: number, message: string): void
  warn(source: number, message: string, subject?: WarningSubject): void
  hasFailed(source: number): boolean
  /** Whether anything could not be read. */
  readonly failed: boolean
  /** Prints what was held back. */
  end(): void
}

/**
 * Prints problems and warnings at once; or, if several threads scan, at the end in the order of the sources: the output must not
 * depend on which thread was faster.
 */
export function createScanMessages(
  { err, warn }: Pick<Session, 'err'> & Pick<ScanWarnings, 'warn'>,
  sources: readonly Source[],
  { inOrder }: { readonly inOrder: boolean },
): ScanMessages {
  const failed = new Set<number>()
  const held = new Map<number, (() => void)[]>()

  function print(source: number, write: () => void): void {
    if (inOrder) held.set(source, [...(held.get(source) ?? []), write])
    else write()
  }

  /** Thousands of files of one folder may have the same message: it is printed for the first one, the others are counted. */
  const repeated = new Map<string, { readonly printOthers: () => void; others: number }>()

  function isRepeated(source: number, kind: string, about: string, printOthers: (others: string) => void): boolean {
    const { stage, labels } = sources[source]
    if (stage === undefined) return false
    const key = `${kind}\n${stage}\n${about}`
    const known = repeated.get(key)
    if (known) {
      known.others++
      return true
    }
    const noun = labels ? 'container' : 'file'
    const first = {
      printOthers: () => printOthers(`${first.others} more ${first.others === 1 ? noun : `${noun}s`}`),
      others: 0,
    }
    repeated.set(key, first)
    return false
  }

  function printWarning(source: number, message: string, subject: WarningSubject | undefined): void {
    const { name, stage } = sources[source]
    const about = message.replace(/\d+ lines?/, 'lines')
    const printOthers = (others: string) => warn(`${stage}: the same in ${others}: ${about}`, subject)
    if (!isRepeated(source, 'warning', about, printOthers)) warn(`${name}: ${message}`, subject)
  }

  function printProblem(source: number, message: string): void {
    const { name, stage, labels } = sources[source]
    const reason = labels && message.startsWith(name) ? message.slice(name.length) : message
    const printOthers = (others: string) => err.write(errorLine('Data', `${stage}: the same in ${others}`))
    if (!isRepeated(source, 'problem', reason, printOthers)) err.write(errorLine('Data', message))
  }

  return {
    problem(source, message) {
      failed.add(source)
      print(source, () => printProblem(source, message))
    },
    warn: (source, message, subject) => print(source, () => printWarning(source, message, subject)),
    hasFailed: (source) => failed.has(source),
    get failed() {
      return failed.size > 0
    },
    end() {
      for (const source of [...held.keys()].sort((a, b) => a - b)) for (const write of held.get(source)!) write()
      held.clear()
      for (const { printOthers, others } of repeated.values()) if (others > 0) printOthers()
      repeated.clear()
    },
  }
}
