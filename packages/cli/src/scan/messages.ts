import { errorLine } from '../console/error-line.js'
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
  const alike = new Map<string, { readonly stage: string; readonly about: string; others: number }>()

  function warnOf(source: number, message: string): void {
    const { name, stage } = sources[source]
    const about = message.replace(/\d+ lines?/, 'lines')
    const known = stage === undefined ? undefined : alike.get(`${stage}\n${about}`)
    if (known) known.others++
    else warn(`${name}: ${message}`)
    if (stage !== undefined && !known) alike.set(`${stage}\n${about}`, { stage, about, others: 0 })
  }

  return {
    problem(source, message) {
      failed.add(source)
      say(source, () => err.write(errorLine('Data', message)))
    },
    warn: (source, message) => say(source, () => warnOf(source, message)),
    hasFailed: (source) => failed.has(source),
    get failed() {
      return failed.size > 0
    },
    end() {
      for (const source of [...held.keys()].sort((a, b) => a - b)) for (const write of held.get(source)!) write()
      held.clear()
      for (const { stage, about, others } of alike.values()) {
        if (others > 0) warn(`${stage}: the same in ${others} more ${others === 1 ? 'file' : 'files'}: ${about}`)
      }
      alike.clear()
    },
  }
}
