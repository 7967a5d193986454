import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.js'
import type { Environment } from './configuration-folder.js'
import { readSmallFile } from './document/read-small-file.js'
import { DEFAULT_SETTINGS, type Settings } from './settings.js'

/** The settings in force, and where they come from. */
export interface LoadedSettings {
  readonly folder: string
  /** The path of `config.yaml`, be it there or not. */
  readonly file: string
  readonly fileExists: boolean
  readonly settings: Settings
  /** The line of `config.yaml` that sets a key, by its full name such as `rules.paths`. Other keys have their default. */
  readonly origins: ReadonlyMap<string, number>
  /** Each to be shown as `Warning: …`. */
  readonly warnings: readonly string[]
}

/**
 * Reads `config.yaml` of the configuration folder. Without one the defaults are in force, after a single failed attempt to
 * open it. A file that is wrong throws a `Failure` of kind `Config` whose message has one line for each problem.
 *
 * @example
 * const { settings, warnings } = await loadSettings({ folder: configurationFolder(env), env })
 */
export async function loadSettings({
  folder,
  env,
}: {
  readonly folder: string
  readonly env: Environment
}): Promise<LoadedSettings> {
  const path = join(folder, 'config.yaml')
  const file = readSmallFile(path)
  if ('bytes' in file) {
    // Loaded here because most runs have no file, and the reader of YAML costs more than the rest of the settings.
    const { readConfigFile } = await import('./config-file.js')
    const read = await readConfigFile({ folder, path, bytes: file.bytes }, env)
    return { folder, file: path, fileExists: true, ...read }
  }
  const warnings = warningsWithout(file, path, folder, Boolean(env.OMEN_CONFIG_DIR))
  return { ...defaultSettings(folder), warnings }
}

/** What is in force when nothing is read. */
export function defaultSettings(folder: string): LoadedSettings {
  const file = join(folder, 'config.yaml')
  return { folder, file, fileExists: false, settings: DEFAULT_SETTINGS, origins: new Map(), warnings: [] }
}

/**
 * Whether it is fine that there is no file to read. A home that is no folder (`/dev/null`), or one that belongs to somebody
 * else, is common among the users that services run as, and no reason to stop: only a folder that was asked for is.
 */
function warningsWithout(
  { code, problem }: { readonly code: string; readonly problem: string },
  path: string,
  folder: string,
  isFolderGiven: boolean,
): readonly string[] {
  if (code === 'ENOENT') return []
  if (code === 'ENOTDIR') {
    if (!isFolderGiven) return []
    throw new Failure('Config', `${folder}: not a folder: set OMEN_CONFIG_DIR to a folder`)
  }
  if (code === 'EACCES') {
    if (isFolderGiven || canEnter(folder)) {
      throw new Failure('Config', `${path}: ${problem}: give yourself the right to, or set OMEN_CONFIG_DIR`)
    }
    return [`${folder}: no permission: no settings are read; set OMEN_CONFIG_DIR to a folder of your own`]
  }
  throw new Failure('Config', `${path}: ${problem}`)
}

function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}
