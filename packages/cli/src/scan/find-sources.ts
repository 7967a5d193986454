import { existsSync, statSync } from 'node:fs'
import type { ScanOptions } from '../command-line/command.js'
import type { Session } from '../session.js'
import { type ResolvedSources, resolveSources } from '../sources/resolve-sources.js'
import type { Source } from '../sources/source.js'

const PATTERN = /[*?[\]{}]/

/**
 * Finds the sources of a command line. A file that is followed may come into being later, so one that is named and not there
 * is a source too.
 */
export async function findSources(
  { paths, dataSources, follow }: ScanOptions,
  { loaded, now }: Pick<Session, 'loaded' | 'now'>,
): Promise<ResolvedSources> {
  const awaited = follow ? paths.filter(isAwaited) : []
  const there = paths.filter((path) => !awaited.includes(path))
  const nothing = { sources: [], problems: [], warnings: [], skipped: [] }
  const isAllAwaited = awaited.length > 0 && there.length === 0 && dataSources.length === 0
  const found = isAllAwaited
    ? nothing
    : await resolveSources({ paths: there, dataSourceFiles: dataSources, settings: loaded.settings, now })
  const { window } = loaded.settings
  const later = awaited.map((path): Source => {
    return { name: path, type: '*', window, files: [{ path, size: undefined, timestamp: undefined }] }
  })
  return { ...found, sources: [...found.sources, ...later] }
}

/**
 * Gives the function that finds the sources again while they are followed, where there can be new files: in a folder, for a
 * pattern, or by a data source file. Standard input is not looked at again.
 */
export function findingMore(
  options: ScanOptions,
  session: Pick<Session, 'loaded' | 'now'>,
): (() => Promise<readonly Source[]>) | undefined {
  const isNamed = options.paths.length > 0 || options.dataSources.length > 0
  const { dataSources: configured } = session.loaded.settings
  const dataSources = isNamed || configured === undefined ? options.dataSources : [configured]
  const canGrow = dataSources.length > 0 || options.paths.some((path) => PATTERN.test(path) || isFolder(path))
  if (!canGrow) return undefined
  return async () => (await findSources({ ...options, dataSources }, session)).sources
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function isAwaited(path: string): boolean {
  return path !== '-' && !PATTERN.test(path) && !existsSync(path)
}
