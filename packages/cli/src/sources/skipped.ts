import { dirname } from 'node:path'
import { ADVICE, quoteForShell, type Refused } from './contents.js'

/** Why a file is left out, for messages that count files. */
export type SkippedKind = Refused | keyof typeof NOT_LOGS

/** Kinds of files that contain no log. Those in `ADVICE` may contain one. */
const NOT_LOGS = {
  binary: ['binary file', 'binary files'],
  empty: ['empty file', 'empty files'],
  report: ['report of omen', 'reports of omen'],
  special: ['special file', 'special files'],
  pseudo: ['pseudo file system', 'pseudo file systems'],
  link: ['broken symbolic link', 'broken symbolic links'],
  hidden: ['hidden file or folder', 'hidden files or folders'],
} as const

/** A file that was left out, and why. */
export interface Skipped {
  readonly path: string
  readonly kind: SkippedKind
  readonly reason: string
}

/** Whether a skipped file may contain a log: `omen` cannot read it, but another program can. */
export function mayBeLog({ kind }: Pick<Skipped, 'kind'>): boolean {
  return !(kind in NOT_LOGS)
}

/**
 * Lists skipped files by kind: a line for each kind that may contain a log, with the command that reads it, then one for all
 * others.
 *
 * @example
 * describeSkipped(skipped) // ['3 systemd journals: journalctl -o json | omen', '2 binary files, 1 broken symbolic link']
 */
export function describeSkipped(skipped: readonly Skipped[]): string[] {
  const byKind = new Map<SkippedKind, string[]>()
  for (const { kind, path } of skipped) {
    const paths = byKind.get(kind)
    if (paths) paths.push(path)
    else byKind.set(kind, [path])
  }
  const logs: string[] = []
  const others: string[] = []
  for (const [kind, paths] of byKind) {
    const count = paths.length.toLocaleString('en')
    const [one, many] = namesOf(kind)
    const named = `${count} ${paths.length === 1 ? one : many}`
    if (mayBeLog({ kind })) logs.push(`${named}: ${commandFor(kind as Refused, paths)}`)
    else others.push(named)
  }
  return others.length === 0 ? logs : [...logs, others.join(', ')]
}

function namesOf(kind: SkippedKind): readonly [one: string, many: string] {
  return kind in NOT_LOGS ? NOT_LOGS[kind as keyof typeof NOT_LOGS] : ADVICE[kind as Refused].names
}

/** Where systemd stores journals, which journalctl reads without being told. */
const SYSTEM_JOURNALS = /^\/(?:var|run)\/log\/journal\//

/** The command that reads one file, or, if there are several, that reads `FILE`. Journals are read together. */
function commandFor(kind: Refused, paths: readonly string[]): string {
  if (kind === 'journal') return `journalctl${folderOfJournals(paths)} -o json | omen`
  return ADVICE[kind].file.replace('FILE', paths.length === 1 ? quoteForShell(paths[0]!) : 'FILE')
}

function folderOfJournals(paths: readonly string[]): string {
  if (paths.every((path) => SYSTEM_JOURNALS.test(path))) return ''
  const folders = new Set(paths.map((path) => dirname(path)))
  return ` -D ${folders.size === 1 ? quoteForShell([...folders][0]!) : 'FOLDER'}`
}
