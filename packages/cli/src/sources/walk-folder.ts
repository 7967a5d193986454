import { type BigIntStats, readdirSync, statfsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Found, type FoundFile, foundFile, identityOf, inNaturalOrder, statOf } from './found-file.js'
import { describeReadError } from './read-error.js'
import type { Skipped } from './skipped.js'

/**
 * File systems without regular data: reading them never ends, or has side effects. By their magic numbers on Linux: proc,
 * sysfs, both control groups, debugfs, tracefs, securityfs, BPF, pstore, device terminals and queues.
 */
const PSEUDO_FILE_SYSTEMS = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0xcafe4a11, 0x6165676c, 0x1cd1,
  0x19800202,
])

/** The reports of earlier runs contain log lines, which would be found again. */
const OWN_REPORT = /^omen-report-\d+\.json$/

/**
 * Finds the files in a folder and its subfolders, in the order of their names. Names that start with a dot, reports of omen and
 * what is not a regular file are left out. Symbolic links are followed, but no folder is walked twice. A folder that cannot be
 * listed is a problem; the other files are still found.
 *
 * @example
 * walkFolder('/var/log').files.map(({ path }) => path) // ['/var/log/app/a.log', '/var/log/syslog', …]
 */
export function walkFolder(folder: string, stats: BigIntStats): Found {
  const files: FoundFile[] = []
  const problems: string[] = []
  const skipped: Skipped[] = []
  const walked = new Set<string>()
  // A stack: a subfolder is walked before the names after it.
  const waiting: { path: string; stats: BigIntStats; device: bigint }[] = [{ path: folder, stats, device: -1n }]

  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, stats, device } = next
    if (stats.isFile()) {
      if (OWN_REPORT.test(basename(path))) skipped.push({ path, kind: 'report', reason: 'a report of omen' })
      else files.push(foundFile(path, stats, folder))
      continue
    }
    if (!stats.isDirectory()) {
      skipped.push({ path, kind: 'special', reason: 'not a regular file' })
      continue
    }
    const identity = identityOf(stats)
    if (walked.has(identity)) continue
    walked.add(identity)
    if (stats.dev !== device && isPseudo(path)) {
      skipped.push({ path, kind: 'pseudo', reason: 'a pseudo file system' })
      continue
    }
    try {
      for (const name of readdirSync(path).sort(inNaturalOrder).reverse()) {
        const inside = join(path, name)
        if (name.startsWith('.')) {
          skipped.push({ path: inside, kind: 'hidden', reason: 'hidden' })
          continue
        }
        const found = tryStat(inside)
        if (found) waiting.push({ path: inside, stats: found, device: stats.dev })
        else skipped.push({ path: inside, kind: 'link', reason: 'a broken symbolic link' })
      }
    } catch (error) {
      problems.push(`${path}: cannot list the folder: ${describeReadError(error)}`)
    }
  }
  return { files, problems, skipped }
}

/** Undefined for a broken symbolic link, and for a file that was removed meanwhile. */
function tryStat(path: string): BigIntStats | undefined {
  try {
    return statOf(path)
  } catch {
    return undefined
  }
}

function isPseudo(folder: string): boolean {
  try {
    return process.platform === 'linux' && PSEUDO_FILE_SYSTEMS.has(statfsSync(folder).type)
  } catch {
    return false
  }
}
