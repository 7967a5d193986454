import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from './measure/command.js'

/**
 * The tool under test: everything that the benchmark knows about its command line stands in this file.
 */
export interface Subject {
  /** The built program. */
  readonly program: string
}

const BUILT = fileURLToPath(new URL('../../packages/cli/dist/omen.js', import.meta.url))

/** The tool as built in this checkout, or another build of it. */
export function findSubject(program: string = BUILT): Subject {
  if (!existsSync(program)) throw new Error(`the tool is not built: ${program} is missing (npm run build)`)
  return { program }
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
  return {
    name,
    program: process.execPath,
    args: [subject.program, ...flags, ...(log === undefined ? [] : [log])],
    env: { OMEN_CONFIG_DIR: config, NO_COLOR: '1' },
    node: true,
  }
}

/** Adds up `[<n> hits @ …]` over the detections that the tool lists. */
export function countHits(summary: string): number {
  let hits = 0
  for (const [, count] of summary.matchAll(/\[([\d,]+) hits? @/g)) hits += Number(count!.replaceAll(',', ''))
  return hits
}
