import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { CustomTimestamp } from '@omen/engine'
import { quote } from '@omen/engine/messages'
import { Failure } from '../failure.js'
import { homeFolder, resolvePath } from '../settings/configuration-folder.js'
import { createFindings, throwErrors } from '../settings/document/findings.js'
import { readDocument } from '../settings/document/read-document.js'
import {
  decodeText,
  explainUnreadable,
  MAX_BYTES,
  readSmallFile,
  TOO_LARGE,
} from '../settings/document/read-small-file.js'
import type { Keys, MapValue } from '../settings/document/shape.js'

const DESC = { shape: { is: 'prose' }, about: 'free text', mistakenFor: ['description'] } as const

const TIMESTAMP = {
  regex: {
    shape: { is: 'time-pattern' },
    about: 'finds the time in a line: its first group, or the whole match',
    required: true,
    mistakenFor: ['pattern', 'regexp'],
  },
  format: { shape: { is: 'time-format' }, about: 'how the time is written', required: true, mistakenFor: ['layout'] },
} as const satisfies Keys

const TIMEZONE_NAMES = ['tz', 'zone'] as const

/** The keys of a location. */
export const LOCATION_KEYS = {
  path: {
    shape: { is: 'path-pattern' },
    about: 'a file, a folder or a glob; `-` is standard input',
    required: true,
    mistakenFor: ['file', 'glob', 'paths', 'location'],
  },
  timestamp: { shape: { is: 'map', keys: TIMESTAMP }, about: "in place of the source's", mistakenFor: ['timestamps'] },
  timezone: { shape: { is: 'zone' }, about: "in place of the source's", mistakenFor: TIMEZONE_NAMES },
  window: { shape: { is: 'duration' }, about: "in place of the source's" },
  desc: DESC,
  type: {
    shape: { is: 'prose' },
    about: 'the type belongs to the source; data of another type is another source',
    misplaced: true,
  },
} as const satisfies Keys

/** The keys of a source. */
export const SOURCE_KEYS = {
  name: { shape: { is: 'text' }, about: 'shown in progress lines and on every hit; without it, the type' },
  type: {
    shape: { is: 'text' },
    about: 'rules for this type of data run on it; `*` runs all rules',
    default: '*',
    mistakenFor: ['source', 'kind'],
  },
  desc: DESC,
  window: {
    shape: { is: 'duration' },
    about:
      'match entries in the order of their times, within this duration; `0`: off; without it, `window` of config.yaml',
  },
  timestamp: {
    shape: { is: 'map', keys: TIMESTAMP },
    about: 'where the time is in a line',
    mistakenFor: ['timestamps'],
  },
  timezone: {
    shape: { is: 'zone' },
    about: 'the zone of times without one; without it, `timezone` of config.yaml',
    mistakenFor: TIMEZONE_NAMES,
  },
  locations: {
    shape: { is: 'list', of: { is: 'map', keys: LOCATION_KEYS }, filled: true },
    about: 'where its files are, such as locations: [{path: /var/log/app/*.log}]',
    required: true,
    mistakenFor: ['location', 'path', 'paths', 'files'],
  },
} as const satisfies Keys

/** The keys of a data source file. */
export const DATA_SOURCE_KEYS = {
  version: { shape: { is: 'prose' }, about: 'the version of the format, `0.1.0`' },
  sources: {
    shape: { is: 'list', of: { is: 'map', keys: SOURCE_KEYS }, filled: true },
    about: 'the list of data sources',
    required: true,
    mistakenFor: ['source', 'dataSources'],
  },
} as const satisfies Keys

const FORMAT_VERSION = '0.1.0'

/** Where files of a source are. What it does not say is taken from its source. */
export interface DataSourceLocation {
  /** Absolute; may be a folder or a glob. `-` is standard input. */
  readonly path: string
  readonly timestamp: CustomTimestamp | undefined
  /** `local`, or a zone of the engine. */
  readonly timezone: string | undefined
  /** Nanoseconds. Zero is off, whatever the settings say. */
  readonly window: bigint | undefined
  readonly desc: string | undefined
}

/** One entry of a data source file. */
export interface DataSourceEntry {
  /** Distinct within the file. */
  readonly name: string
  /** Rules for this type of data run on it; `*` runs all. */
  readonly type: string
  readonly desc: string | undefined
  readonly window: bigint | undefined
  readonly locations: readonly DataSourceLocation[]
}

/** The contents of a data source file. */
export interface DataSourceFile {
  readonly version: string | undefined
  readonly sources: readonly DataSourceEntry[]
  /** Each is shown as `Warning: …`. */
  readonly warnings: readonly string[]
}

/**
 * Reads a data source file: YAML, or JSON, which is YAML too. `-` reads it from standard input. All problems in it
 * are one `Failure` of kind `Data` with a line for each.
 *
 * @example
 * const { sources } = await readDataSourceFile('data-sources.yaml')
 * sources[0].locations[0].path // '/var/log/kafka/*.log'
 */
export async function readDataSourceFile(
  path: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<DataSourceFile> {
  const { bytes, isOnDisk } = await readBytes(path)
  const { text, problem } = decodeText(bytes)
  const findings = createFindings(path === '-' ? 'standard input' : path, text)
  if (problem) findings.error(problem.at, problem.message)
  throwErrors('Data', findings.errors())
  // A pipe, such as `-s <(…)`, has no folder: relative paths start in the working directory.
  const folder = isOnDisk ? dirname(resolve(path)) : resolve('.')
  const home = homeFolder(env)
  const document = await readDocument(text, DATA_SOURCE_KEYS, {
    findings,
    resolve: (written) => resolvePath(written, folder, home),
  })
  throwErrors('Data', findings.errors())
  const { version, sources } = document!.value
  if (version !== undefined && version !== FORMAT_VERSION) {
    const message = `version ${quote(version)} is not known: the file is read as ${FORMAT_VERSION}`
    findings.warn(document!.places.get('version')!, message)
  }
  const names = distinctNames(sources)
  const entries = sources.map((source, index) => toEntry(source, names[index]!))
  return { version, sources: entries, warnings: findings.warnings() }
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: ': name a data source file; omen -g writes one to start from',
  EACCES: ': try sudo, or make it readable',
  EISDIR: ': -s takes a data source file; to scan a folder, name it without -s',
  [TOO_LARGE]: ': -s takes a data source file; to scan a log, name it without -s',
}

async function readBytes(path: string): Promise<{ readonly bytes: Uint8Array; readonly isOnDisk: boolean }> {
  if (path === '-' || isPipe(path)) return { bytes: await readPipe(path), isOnDisk: false }
  const file = readSmallFile(path)
  if ('problem' in file) throw unreadable(path, file.code, file.problem)
  return { ...file, isOnDisk: true }
}

/** Checked before it is opened: what is written to a named pipe is lost when its first reader closes it. */
function isPipe(path: string): boolean {
  try {
    const stats = statSync(path)
    return !stats.isFile() && !stats.isDirectory()
  } catch {
    return false
  }
}

/** Reads a pipe without blocking the process. */
async function readPipe(path: string): Promise<Uint8Array> {
  const { openInput } = await import('./input.js')
  const space = new Uint8Array(MAX_BYTES + 1)
  let length = 0
  try {
    const input = openInput(path === '-' ? STANDARD_INPUT : path)
    try {
      for (let bytes = -1; bytes !== 0 && length < space.length; length += bytes) {
        bytes = await input.read(space.subarray(length))
      }
    } finally {
      input.close()
    }
  } catch (error) {
    throw unreadable(path, 'pipe', error instanceof Error ? error.message : String(error))
  }
  if (length > MAX_BYTES) throw unreadable(path, TOO_LARGE, explainUnreadable(TOO_LARGE).problem)
  return space.subarray(0, length)
}

const STANDARD_INPUT = 0

function unreadable(path: string, code: string, problem: string): Failure {
  return new Failure('Data', `${path === '-' ? 'standard input' : path}: ${problem}${ADVICE[code] ?? ''}`)
}

type SourceValue = MapValue<typeof SOURCE_KEYS>

function toEntry(
  { type = ANY_TYPE, desc, window, timestamp, timezone, locations }: SourceValue,
  name: string,
): DataSourceEntry {
  return {
    name,
    type,
    desc,
    window,
    locations: locations.map((location) => ({
      path: location.path,
      timestamp: location.timestamp ?? timestamp,
      timezone: location.timezone ?? timezone,
      window: location.window ?? window,
      desc: location.desc,
    })),
  }
}

const ANY_TYPE = '*'

/**
 * A source without a name is named after its type. Of equal names the later ones are numbered; a name in the file goes to the
 * first source that has it, so that it stays the same when a source is added.
 */
function distinctNames(sources: readonly SourceValue[]): readonly string[] {
  const names = new Array<string | undefined>(sources.length)
  const taken = new Set<string>()
  sources.forEach(({ name }, index) => {
    if (name === undefined || taken.has(name)) return
    taken.add(name)
    names[index] = name
  })
  const counts = new Map<string, number>()
  return sources.map((source, index) => {
    const wanted = source.name ?? typeName(source)
    let name = names[index] ?? wanted
    for (let count = counts.get(wanted) ?? 2; names[index] === undefined && taken.has(name); count++) {
      name = `${wanted}#${count}`
      counts.set(wanted, count + 1)
    }
    taken.add(name)
    return name
  })
}

function typeName({ type = ANY_TYPE }: SourceValue): string {
  return type === ANY_TYPE ? 'source' : type
}
