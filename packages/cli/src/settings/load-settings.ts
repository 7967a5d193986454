import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.js'
import type { Environment } from './configuration-folder.js'
import { readSmallFile } from './document/read-small-file.js'
import { DEFAULT_SETTINGS, type Settings } from './settings.js'

/** The effective settings and their origin. */
export interface LoadedSettings {
  readonly folder: string
  /** The path of `config.yaml`, which may not exist. */
  readonly file: string
  readonly fileExists: boolean
  readonly settings: Settings
  /** The line of `config.yaml` that sets a key, by its full name such as `rules.paths`. Other keys have their default. */
  readonly origins: ReadonlyMap<string, number>
  /** The messages to show as `Warning: …`. */
  readonly warnings: readonly string[]
}

/**
 * Reads `config.yaml` from the configuration folder; without one, the defaults apply. Throws a `Failure` of kind `Config` for an
 * invalid file, with one line for each error.
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
    // Loaded here because most runs have no file, and the YAML reader takes longer to load than everything else here.
    const { readConfigFile } = await import('./config-file.js')
    const read = await readConfigFile({ folder, path, bytes: file.bytes }, env)
    return { folder, file: path, fileExists: true, ...read }
  }
  const warnings = warningsWithout(file, path, folder, Boolean(env.OMEN_CONFIG_DIR))
  return { ...defaultSettings(folder), warnings }
}

/** The settings without a file. */
export function defaultSettings(folder: string): LoadedSettings {
  const file = join(folder, 'config.yaml')
  return { folder, file, fileExists: false, settings: DEFAULT_SETTINGS, origins: new Map(), warnings: [] }
}

/**
 * The warnings for a `config.yaml` that cannot be read. Service users often have a home that is not a folder (`/dev/null`) or
 * belongs to another user, which is not an error; it is one only for a folder that the user configured.
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
    throw new Failure('Config', `${folder}: not a folder; set OMEN_CONFIG_DIR to a folder`)
  }
  if (code === 'EACCES') {
    if (isFolderGiven || canEnter(folder)) {
      throw new Failure('Config', `${path}: ${problem}; change its permissions, or set OMEN_CONFIG_DIR`)
    }
    return [`${folder}: no permission to read the settings; set OMEN_CONFIG_DIR to another folder`]
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
