import { existsSync, statSync } from 'node:fs'
import type { CompiledRules } from '@omen/engine'
import { nearest } from '@omen/engine/messages'
import type { ScanOptions } from '../command-line/command.js'
import type { Session } from '../session.js'
import { type ResolvedSources, resolveSources, zoneOf } from '../sources/resolve-sources.js'
import type { Source } from '../sources/source.js'

const PATTERN = /[*?[\]{}]/

/**
 * Finds the sources of a command line. With --follow, a named file that does not exist is a source too: it may be created later.
 */
export async function findSources(
  { paths, dataSources, follow, logZone }: ScanOptions,
  { loaded, now }: Pick<Session, 'loaded' | 'now'>,
): Promise<ResolvedSources> {
  const missing = follow ? paths.filter(isMissing) : []
  const existing = paths.filter((path) => !missing.includes(path))
  const nothing = { sources: [], problems: [], warnings: [], skipped: [] }
  const isAllMissing = missing.length > 0 && existing.length === 0 && dataSources.length === 0
  const found = isAllMissing
    ? nothing
    : await resolveSources({
        paths: existing,
        dataSourceFiles: dataSources,
        settings: loaded.settings,
        zone: logZone,
        now,
      })
  const { settings } = loaded
  const zone = zoneOf({ zone: logZone, settings })
  const later = missing.map((path): Source => {
    return {
      name: path,
      type: '*',
      window: settings.window,
      files: [{ path, size: undefined, timestamp: undefined, zone }],
    }
  })
  return { ...found, sources: [...found.sources, ...later] }
}

/**
 * Creates the function that finds the sources again while they are followed, if there can be new files: in a folder, for a
 * pattern, or from a data source file. Standard input is not read again.
 */
export function createSourceFinder(
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

function isMissing(path: string): boolean {
  return path !== '-' && !PATTERN.test(path) && !existsSync(path)
}

/** The type that every rule, or every source, is for. */
const ANY = '*'

/** Whether a rule is for the type of a source. */
export function runsOn({ source }: { readonly source: string }, { type }: Pick<Source, 'type'>): boolean {
  return source === ANY || type === ANY || source === type
}

/**
 * Warns if no rule is for any of the sources: with a typo in a data source file the scan would find nothing. If some rule runs,
 * sources without one are normal: one file may serve many sets of rules.
 */
export function warnOfTypes(
  sources: readonly Source[],
  { rules }: CompiledRules,
  warn: (message: string) => void,
): void {
  if (sources.some((source) => rules.some((rule) => runsOn(rule, source)))) return
  const known = new Set(rules.map((rule) => rule.source))
  for (const { name, type } of sources) {
    const similar = similarType(type, known)
    warn(`${name}: no rule is for ${type}${similar === undefined ? '' : `: did you mean ${similar}?`}`)
  }
}

/** Types share most of their letters, `cre.log.`: their last word is compared. */
function similarType(type: string, known: ReadonlySet<string>): string | undefined {
  const byWord = new Map([...known].map((one) => [lastWordOf(one), one]))
  const word = nearest(lastWordOf(type), byWord.keys())
  return word === undefined ? undefined : byWord.get(word)
}

function lastWordOf(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1)
}
