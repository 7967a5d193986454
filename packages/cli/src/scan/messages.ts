import { errorLine } from '../console/standard-error.js'
import type { Session } from '../session.js'
import type { Source } from '../sources/source.js'

/** What a scan says on standard error about its sources. */
export interface ScanMessages {
  problem(source: number, message: string): void
  warn(source: number, message: string): void
  hasFailed(source: number): boolean
  /** Whether anything could not be read. */
  readonly failed: boolean
  /** Says what was held back. */
  end(): void
}

/**
 * Tells of problems and warnings at once; or, when several threads scan, in the order of the sources when all is over: what
 * is printed must not depend on which thread was quicker.
 */
export function createScanMessages(
  { err, warn }: Pick<Session, 'err' | 'warn'>,
  sources: readonly Source[],
  { inOrder }: { readonly inOrder: boolean },
): ScanMessages {
  const failed = new Set<number>()
  const held = new Map<number, (() => void)[]>()

  function say(source: number, write: () => void): void {
    if (inOrder) held.set(source, [...(held.get(source) ?? []), write])
    else write()
  }

  /** Thousands of files of one folder may have the same to say: the first one says it, the others are counted. */
  const alike = new Map<string, { readonly tell: () => void; others: number }>()

  function isTold(source: number, kind: string, about: string, tellOthers: (others: string) => void): boolean {
    const { stage, labels } = sources[source]
    if (stage === undefined) return false
    const key = `${kind}\n${stage}\n${about}`
    const known = alike.get(key)
    if (known) {
      known.others++
      return true
    }
    const noun = labels ? 'container' : 'file'
    const made = { tell: () => tellOthers(`${made.others} more ${made.others === 1 ? noun : `${noun}s`}`), others: 0 }
    alike.set(key, made)
    return false
  }

  function warnOf(source: number, message: string): void {
    const { name, stage } = sources[source]
    const about = message.replace(/\d+ lines?/, 'lines')
    const tellOthers = (others: string) => warn(`${stage}: the same in ${others}: ${about}`)
    if (!isTold(source, 'warning', about, tellOthers)) warn(`${name}: ${message}`)
  }

  function tellProblem(source: number, message: string): void {
    const { name, stage, labels } = sources[source]
    const reason = labels && message.startsWith(name) ? message.slice(name.length) : message
    const tellOthers = (others: string) => err.write(errorLine('Data', `${stage}: the same in ${others}`))
    if (!isTold(source, 'problem', reason, tellOthers)) err.write(errorLine('Data', message))
  }

  return {
    problem(source, message) {
      failed.add(source)
      say(source, () => tellProblem(source, message))
    },
    warn: (source, message) => say(source, () => warnOf(source, message)),
    hasFailed: (source) => failed.has(source),
    get failed() {
      return failed.size > 0
    },
    end() {
      for (const source of [...held.keys()].sort((a, b) => a - b)) for (const write of held.get(source)!) write()
      held.clear()
      for (const { tell, others } of alike.values()) if (others > 0) tell()
      alike.clear()
    },
  }
}
