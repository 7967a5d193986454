import { type BigIntStats, readdirSync, type Stats, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { type Found, type FoundFile, foundFile, inNaturalOrder, statOf } from './found-file.js'
import { describeReadError } from './read-error.js'
import type { Skipped } from './skipped.js'

/** Whether a path may be a pattern. */
export function isPattern(path: string): boolean {
  return /[*?[\]{}()]/.test(path)
}

/**
 * Finds the regular files that a pattern matches, in the order of their names: `*`, `**`, `?`, `[a-z]` and `{a,b}`. Names that
 * start with a dot only match a pattern that writes the dot.
 *
 * @example
 * const { files } = await matchGlob('/var/log/kafka/*.log')
 */
export async function matchGlob(pattern: string): Promise<Found> {
  const { globSync } = await import('tinyglobby')
  const problems: string[] = []
  const options = { expandDirectories: false, absolute: isAbsolute(pattern), fs: checkedFiles(problems) }
  const files: FoundFile[] = []
  const skipped: Skipped[] = []
  for (const path of globSync(pattern, options).sort(inNaturalOrder)) {
    const stats = tryStat(path)
    if (stats?.isFile()) files.push(foundFile(path, stats))
    else if (stats) skipped.push({ path, kind: 'special', reason: 'not a regular file' })
  }
  if (files.length === 0 && problems.length === 0) {
    const isFolder = globSync(pattern, { ...options, onlyDirectories: true }).length > 0
    problems.push(`${pattern}: no file matches${isFolder ? ', only folders: end it with /** for what is in them' : ''}`)
  }
  return { files, problems, skipped }
}

function tryStat(path: string): BigIntStats | undefined {
  try {
    return statOf(path)
  } catch {
    return undefined
  }
}

/** The library ignores folders that it cannot list, and may follow symbolic links through the same folders again and again. */
function checkedFiles(problems: string[]) {
  const followed = new Set<string>()
  return {
    readdirSync: ((path: string, options: { withFileTypes: true }) => {
      try {
        return readdirSync(path, options)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== 'ENOENT' && code !== 'ENOTDIR') {
          problems.push(`${path}: cannot list the folder: ${describeReadError(error)}`)
        }
        throw error
      }
    }) as typeof readdirSync,
    /** Only called for symbolic links. */
    statSync: ((path: string): Stats => {
      const stats = statSync(path)
      if (stats.isDirectory()) {
        if (followed.has(path)) throw new Error('already followed')
        followed.add(path)
      }
      return stats
    }) as typeof statSync,
  }
}
