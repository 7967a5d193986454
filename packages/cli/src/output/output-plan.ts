import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Failure } from '../failure.js'
import { findTarget } from './find-target.js'
import { explainWriteError } from './write-failure.js'

/** Where a report goes. `default` is a file named after the time, which never replaces another one. */
export type ReportTarget =
  | { readonly kind: 'none' }
  | { readonly kind: 'stdout' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'default'; readonly epochSeconds: number }

/** What `-o` means for a run. */
export interface OutputPlan {
  readonly report: ReportTarget
  /** The label of the notification; may be empty. */
  readonly prefix: string
  /** Where the report goes if the notification could not be delivered, so that it is not lost. */
  readonly rescue: ReportTarget
}

type Reading = 'absent' | 'empty' | 'dash' | 'prefix' | 'name'

const NONE: ReportTarget = { kind: 'none' }

/**
 * Interprets `-o`. A value that ends in a space or a colon is a prefix: it labels the notification, and no report is written;
 * without a notification, the report goes to the default file.
 *
 * @example
 * planOutput(undefined, false, now).report       // { kind: 'default', epochSeconds: 1772366403 }
 * planOutput('', true, now).report               // { kind: 'none' }
 * planOutput('nightly: ', true, now).prefix      // 'nightly: '
 */
export function planOutput(output: string | undefined, hasNotification: boolean, now: Date): OutputPlan {
  const unnamed: ReportTarget = { kind: 'default', epochSeconds: Math.floor(now.getTime() / 1000) }
  const plain = (report: ReportTarget): OutputPlan => ({ report, prefix: '', rescue: NONE })
  const plans: Record<Reading, () => OutputPlan> = {
    absent: () => plain(unnamed),
    empty: () => plain(NONE),
    dash: () => plain({ kind: 'stdout' }),
    name: () => plain({ kind: 'file', path: output ?? '' }),
    prefix: () => (hasNotification ? { report: NONE, prefix: output ?? '', rescue: unnamed } : plain(unnamed)),
  }
  return plans[readOutput(output)]()
}

function readOutput(output: string | undefined): Reading {
  if (output === undefined) return 'absent'
  if (output === '') return 'empty'
  if (output === '-') return 'dash'
  return /[\s:]$/.test(output) ? 'prefix' : 'name'
}

/**
 * The default name of a report: `omen-report-<seconds since 1970>.json`. Each further attempt adds a second, so that runs in a loop
 * do not replace each other's reports.
 *
 * @example
 * reportFileFor(1772366403)   // 'omen-report-1772366403.json'
 */
export function reportFileFor(epochSeconds: number, attempt = 0): string {
  return `omen-report-${epochSeconds + attempt}.json`
}

/**
 * Throws if the report file cannot be written, before a scan that may take hours. Only a name that the user gave is checked; if the
 * default file cannot be written, the summary is still shown first.
 *
 * Also throws for a file that is one of the inputs, so that a typing mistake does not destroy a log.
 *
 * @example
 * checkOutput({ kind: 'file', path: 'missing/report.json' })   // Output error: missing/report.json: the folder missing does not exist…
 * checkOutput({ kind: 'file', path: 'app.log' }, ['app.log'])  // Output error: app.log: is one of the files to read…
 */
export function checkOutput(target: ReportTarget, inputs: readonly string[] = []): void {
  if (target.kind !== 'file') return
  try {
    checkFile(target.path)
    checkIsNotInput(target.path, inputs)
  } catch (error) {
    throw explainWriteError(target.path, error)
  }
}

function checkFile(name: string): void {
  if (name.endsWith('/')) throw new Failure('Output', `${name}: is a directory; give a file name`)
  const target = findTarget(name)
  if (target.kind !== 'file') return
  const folder = dirname(resolve(name) === target.path ? name : target.path)
  if (!existsSync(folder)) {
    throw new Failure('Output', `${name}: the folder ${folder} does not exist; create it or choose another name`)
  }
  if (!isWritable(folder)) {
    throw new Failure('Output', `${name}: no permission to create files in ${folder}; choose another folder`)
  }
  if (target.existing) accessSync(target.path, constants.W_OK)
}

function checkIsNotInput(name: string, inputs: readonly string[]): void {
  const output = statSync(name, { throwIfNoEntry: false })
  if (!output?.isFile()) return
  const isOutput = (path: string) => {
    const input = statSync(path, { throwIfNoEntry: false })
    return input?.ino === output.ino && input.dev === output.dev
  }
  if (inputs.some(isOutput)) throw new Failure('Output', `${name}: is one of the files to read; choose another name`)
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
