import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '../../harness/command.js'

/**
 * The tool under test. Everything that the benchmark knows about its command line is in this file.
 */
export interface Subject {
  /** The built program. */
  readonly program: string
  /** An executable that needs no Node.js to run it. */
  readonly isExecutable?: true
}

const BUILT = fileURLToPath(new URL('../../../../packages/cli/dist/omen.js', import.meta.url))

/** The tool as built in this checkout, or another build of it. */
export function findSubject(program: string = BUILT): Subject {
  if (!existsSync(program)) throw new Error(`the tool is not built: ${program} is missing (npm run build)`)
  return { program }
}

/** The single-file executable beside a build, if it was made of that build. */
export function findSingleFile({ program }: Subject): Subject | undefined {
  const executable = join(program, '../single-file/omen')
  const made = statSync(executable, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return made > statSync(program).mtimeMs ? { program: executable, isExecutable: true } : undefined
}

/** `omen` with arguments, as a script or as an executable. */
function command({ program, isExecutable }: Subject, name: string, args: readonly string[], config: string): Command {
  return {
    name,
    program: isExecutable ? program : process.execPath,
    args: isExecutable ? args : [program, ...args],
    env: { OMEN_CONFIG_DIR: config, NO_COLOR: '1' },
    ...(isExecutable ? {} : { node: true }),
  }
}

/** Prints the version. */
export function showVersion(subject: Subject, config: string): Command {
  return command(subject, 'omen -v', ['-v'], config)
}

/** Scans an empty log with the rules that come with the tool, and says that it found nothing. */
export function scanNothing(subject: Subject, log: string, config: string): Command {
  return command(subject, 'omen', ['-o', '', log], config)
}

export interface Scan {
  readonly name?: string
  /** A rule document. */
  readonly rules: string
  /** A log; standard input when absent. */
  readonly log?: string
  readonly threads: number
  /** Where the tool keeps its cache of compiled rules. */
  readonly config: string
  /** Whether detections are listed. The report is never written. */
  readonly summary?: boolean
}

/** Scans a log: no community rules (`-d`), no progress (`-q`), no report (`-o ""`). */
export function scan(subject: Subject, { name = 'omen', rules, log, threads, config, summary = false }: Scan): Command {
  const flags = ['-d', ...(summary ? [] : ['-q']), '-o', '', '-r', rules, '--threads', String(threads)]
  return command(subject, name, [...flags, ...(log === undefined ? [] : [log])], config)
}

/** Adds up `[<n> hits @ …]` over the detections that the tool lists. */
export function countHits(summary: string): number {
  let hits = 0
  for (const [, count] of summary.matchAll(/\[([\d,]+) hits? @/g)) hits += Number(count!.replaceAll(',', ''))
  return hits
}
