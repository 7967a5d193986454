import { Failure } from '../failure.js'
import type { Settings } from '../settings/settings.js'
import type { DataSourceEntry } from './data-source-file.js'
import { expand } from './expand.js'
import type { Found, FoundFile } from './found-file.js'
import { joinPieces, type PiecedLog } from './pieces.js'
import type { Skipped } from './skipped.js'
import type { Source, SourceFile } from './source.js'
import { CHOICES, inspectStandardInput, type StandardInput } from './standard-input.js'
import { LOCAL_ZONE } from './zone.js'

/** What the user named. */
export interface SourceRequest {
  /** Files, folders and patterns from the command line; `-` is standard input. */
  readonly paths: readonly string[]
  /** The data source files given with `-s`. */
  readonly dataSourceFiles: readonly string[]
  readonly settings: Pick<Settings, 'window' | 'dataSources' | 'timestamps' | 'skip' | 'timezone'>
  /** The zone given with `--log-tz`. */
  readonly zone?: string | undefined
  readonly now: Date
  /** The kind of standard input; detected if it is not given. */
  readonly input?: StandardInput
}

/** What is to be read. Without sources and problems, nothing was named and nothing is piped in. */
export interface ResolvedSources {
  readonly sources: readonly Source[]
  /** Each is shown as `Data error: …`. The sources can still be read. */
  readonly problems: readonly string[]
  /** Each is shown as `Warning: …`. */
  readonly warnings: readonly string[]
  /** Files in folders that are not text. */
  readonly skipped: readonly Skipped[]
}

const INPUT_PATH = '-'
const ANY_TYPE = '*'

/**
 * Finds what is to be read. Every log on the command line is a source: a file, also one in a folder, or several that a rotation
 * made of it. An entry of a data source file is one source with all its files, in the order of their first times. If nothing is
 * named, standard input is read, or what the settings name.
 *
 * @example
 * const { sources, problems } = await resolveSources({ paths: ['/var/log'], dataSourceFiles: [], settings, now: new Date() })
 */
export async function resolveSources(request: SourceRequest): Promise<ResolvedSources> {
  const { paths, dataSourceFiles } = request
  const isNamed = paths.length > 0 || dataSourceFiles.length > 0
  const named = isNamed ? { paths, dataSourceFiles } : await chooseUnnamed(request)
  const gathered = createGathering()
  await addPaths(named.paths, request, gathered)
  for (const file of named.dataSourceFiles) await addDataSourceFile(file, request, gathered)
  return gathered
}

async function chooseUnnamed({ settings: { dataSources }, input = inspectStandardInput() }: SourceRequest) {
  const choice = CHOICES[input.kind][dataSources === undefined ? 'bare' : 'configured']
  const isInput = choice === 'input' || (choice === 'input-with-data' && (await input.hasData()))
  const isConfigured = !isInput && dataSources !== undefined
  return { paths: isInput ? [INPUT_PATH] : [], dataSourceFiles: isConfigured ? [dataSources] : [] }
}

interface Gathering {
  readonly sources: Source[]
  readonly problems: string[]
  readonly warnings: string[]
  readonly skipped: Skipped[]
  /** Whether standard input is read already: it can be read only once. */
  hasInput: boolean
}

function createGathering(): Gathering {
  return { sources: [], problems: [], warnings: [], skipped: [], hasInput: false }
}

function take({ problems, skipped }: Found, gathered: Gathering): void {
  gathered.problems.push(...problems)
  gathered.skipped.push(...skipped)
}

async function addPaths(paths: readonly string[], request: SourceRequest, gathered: Gathering): Promise<void> {
  const window = windowOf([request.settings.window])
  for (const { path, pieces } of await findLogs(paths, gathered)) {
    const name = path === INPUT_PATH ? 'stdin' : path
    const folder = pieces[0]?.folder
    const zone = zoneOf(request)
    const files = await inOrder(
      pieces.map((piece) => ({ ...sourceFile(piece), zone })),
      request,
    )
    gathered.sources.push({ name, ...(folder !== undefined && { stage: folder }), type: ANY_TYPE, window, files })
  }
}

/** The logs of paths, each with its pieces. */
async function findLogs(paths: readonly string[], gathered: Gathering): Promise<readonly PiecedLog<FoundFile>[]> {
  const files = new Map<string, FoundFile>()
  for (const path of paths) {
    const found = path === INPUT_PATH ? STANDARD_INPUT : await expand(path)
    take(found, gathered)
    for (const file of found.files) if (!files.has(file.identity)) files.set(file.identity, file)
  }
  gathered.hasInput = files.has(INPUT_PATH)
  return joinPieces([...files.values()])
}

/** Most logs are one file, which needs no order. */
async function inOrder(
  pieces: readonly SourceFile[],
  { settings, now }: SourceRequest,
): Promise<readonly SourceFile[]> {
  if (pieces.length < 2) return pieces
  const { orderPieces } = await import('./order.js')
  return orderPieces(pieces, { timestamps: settings.timestamps, skip: settings.skip, now })
}

const STANDARD_INPUT: Found = {
  files: [{ path: INPUT_PATH, size: undefined, identity: INPUT_PATH, folder: undefined }],
  problems: [],
  skipped: [],
}

const INPUT_FILE: SourceFile = { path: INPUT_PATH, size: undefined, timestamp: undefined }

function sourceFile({ path, size }: FoundFile): SourceFile {
  return { path, size, timestamp: undefined }
}

async function addDataSourceFile(path: string, request: SourceRequest, gathered: Gathering): Promise<void> {
  try {
    const { readDataSourceFile } = await import('./data-source-file.js')
    const { sources, warnings } = await readDataSourceFile(path)
    gathered.warnings.push(...warnings)
    for (const entry of sources) await addEntry(entry, request, gathered)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    gathered.problems.push(...error.message.split('\n'))
  }
}

/** A file of several locations is read once, as the first of them says. */
async function addEntry(entry: DataSourceEntry, request: SourceRequest, gathered: Gathering): Promise<void> {
  const { settings, now } = request
  const { name, type, locations } = entry
  const files = new Map<string, SourceFile>()
  for (const { path, timestamp, timezone } of locations) {
    const zone = zoneOf(request, timezone)
    if (path === INPUT_PATH) {
      if (gathered.hasInput) gathered.problems.push(`${name}: standard input can be read only once`)
      else files.set(INPUT_PATH, { ...INPUT_FILE, timestamp, zone })
      gathered.hasInput = true
      continue
    }
    const found = await expand(path)
    take(found, gathered)
    for (const file of found.files) {
      if (!files.has(file.identity)) files.set(file.identity, { ...sourceFile(file), timestamp, zone })
    }
  }
  if (files.size === 0) return
  const { orderByTime } = await import('./order.js')
  const ordered = await orderByTime([...files.values()], { timestamps: settings.timestamps, skip: settings.skip, now })
  const window = windowOf(locations.map((location) => location.window ?? settings.window))
  gathered.sources.push({ name, type, window, files: ordered })
}

/** The zone of times without one: of the command line, of the location or its source, of the settings, or of this machine. */
export function zoneOf({ zone, settings }: Pick<SourceRequest, 'zone' | 'settings'>, timezone?: string): string {
  return zone ?? timezone ?? settings.timezone ?? LOCAL_ZONE
}

/** The widest window: entries in order within a minute are in order within a second. Zero is off. */
function windowOf(windows: readonly (bigint | undefined)[]): bigint | undefined {
  const widest = windows.reduce<bigint>((most, window = 0n) => (window > most ? window : most), 0n)
  return widest === 0n ? undefined : widest
}
