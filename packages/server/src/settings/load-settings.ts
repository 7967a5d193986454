import { dirname, resolve } from 'node:path'
import { nearest, quote } from '@omen/engine/messages'
import { Failure } from '../failure.js'
import { type ConfigFile, readConfigFile } from './config-file.js'
import { CONFIG_FLAG, OTHER_VARIABLES, SETTING_KEYS, SETTINGS, type SettingKey } from './setting-table.js'
import type { Settings } from './settings.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** The flags of the command line as they are written, by the key of their setting; a flag without an argument is `true`. */
export type GivenFlags = Readonly<Partial<Record<SettingKey | 'config', string | true>>>

/** The settings and their origins. */
export interface LoadedSettings {
  readonly settings: Settings
  /** `--port`, `OMEN_PORT`, `/etc/omen/server.yaml:3` or `default`. */
  readonly origins: Readonly<Record<SettingKey, string>>
  /** The file that was read, absolute. */
  readonly file: string | undefined
  /** Each to be printed as `Warning: …`. */
  readonly warnings: readonly string[]
}

export interface SettingSources {
  readonly flags: GivenFlags
  readonly env: Environment
  /** The current folder. */
  readonly folder: string
}

interface Written {
  readonly text: string
  readonly from: string
  /** The name in messages. */
  readonly name: string
  readonly folder: string
}

/**
 * Loads the settings: flags override variables, variables override the file, the file overrides defaults. Throws a `Failure` of
 * kind `Config` whose message has a line for each invalid setting.
 *
 * @example
 * const { settings } = loadSettings({ flags: { port: '8443' }, env: process.env, folder: process.cwd() })
 */
export function loadSettings({ flags, env, folder }: SettingSources): LoadedSettings {
  const path = configPath(flags, env, folder)
  const file = path === undefined ? undefined : readConfigFile(path)
  const failures = [...(file?.failures ?? [])]
  const warnings = misspelt(env)
  const settled: Partial<Record<SettingKey, unknown>> = {}
  const origins: Partial<Record<SettingKey, string>> = {}
  for (const key of SETTING_KEYS) {
    const written =
      fromFlag(key, flags, folder) ?? fromVariable(key, env, folder, warnings) ?? fromFile(key, file, path)
    origins[key] = written?.from ?? 'default'
    try {
      const setting = SETTINGS[key]
      settled[key] = written
        ? setting.read(written.text, { folder: written.folder })
        : setting.fallback(settled as Partial<Settings>, folder)
    } catch (error) {
      failures.push(`${written!.name}: ${(error as Error).message}`)
    }
  }
  if (failures.length > 0) throw new Failure('Config', failures.join('\n'))
  const settings = settled as unknown as Settings
  return {
    settings,
    origins: origins as Record<SettingKey, string>,
    file: path,
    warnings: [...warnings, ...suspicious(settings)],
  }
}

function configPath(flags: GivenFlags, env: Environment, folder: string): string | undefined {
  const named = flags.config ?? env[CONFIG_FLAG.environment]
  if (flags.config === '') throw new Failure('Config', `${CONFIG_FLAG.flag}: write the path of a file`)
  return typeof named === 'string' && named !== '' ? resolve(folder, named) : undefined
}

function fromFlag(key: SettingKey, flags: GivenFlags, folder: string): Written | undefined {
  const given = flags[key]
  const { flag } = SETTINGS[key]
  if (given === undefined || flag === undefined) return undefined
  return { text: given === true ? 'true' : given, from: flag, name: flag, folder }
}

/** Kubernetes sets variables for a Service named `omen` in every pod of its namespace; one of them is `OMEN_PORT`. */
const SET_BY_KUBERNETES = /^tcp:\/\//

function fromVariable(key: SettingKey, env: Environment, folder: string, warnings: string[]): Written | undefined {
  const name = SETTINGS[key].environment
  const text = env[name]
  // Compose files and shells write an empty variable for one that is not set.
  if (text === undefined || text === '') return undefined
  if (name === 'OMEN_PORT' && SET_BY_KUBERNETES.test(text)) {
    warnings.push(
      'OMEN_PORT is ignored: Kubernetes set it for a Service named omen (enableServiceLinks: false prevents that)',
    )
    return undefined
  }
  return { text, from: name, name, folder }
}

function fromFile(key: SettingKey, file: ConfigFile | undefined, path: string | undefined): Written | undefined {
  const value = file?.values.get(key)
  if (value === undefined || path === undefined) return undefined
  const from = `${path}:${value.line}`
  return { text: value.text, from, name: `${from}: ${key}`, folder: dirname(path) }
}

/** Warns about variables whose names are similar to the name of a setting. */
function misspelt(env: Environment): string[] {
  const known = [...SETTING_KEYS.map((key) => SETTINGS[key].environment), ...OTHER_VARIABLES]
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith('OMEN_') || known.includes(name)) return []
    const meant = nearest(
      name.slice(5),
      known.map((other) => other.replace(/^OMEN_/, '')),
    )
    const variable = known.find((other) => other.replace(/^OMEN_/, '') === meant)
    return variable ? [`${quote(name).slice(1, -1)} is not a setting: did you mean ${variable}?`] : []
  })
}

const LOCAL_HOST = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Warns about settings that are allowed, but usually a mistake. */
function suspicious(settings: Settings): string[] {
  const urls = new Set([settings.baseUrl, settings.onboardUrl, settings.appUrl])
  return [...urls]
    .filter((url) => url.startsWith('http:') && !LOCAL_HOST.test(new URL(url).hostname))
    .map((url) => `${url} is not HTTPS: codes, tokens and secrets are sent unencrypted. Use it for development only`)
}

/**
 * The settings of a server with port 0: the addresses that contain the port get the actual one.
 *
 * @example
 * followPort({ ...settings, port: 0, baseUrl: 'http://localhost:0' }, 49152).baseUrl // 'http://localhost:49152'
 */
export function followPort(settings: Settings, port: number): Settings {
  const withPort = (url: string) => url.replace(/:0$/, `:${port}`)
  return {
    ...settings,
    port,
    baseUrl: withPort(settings.baseUrl),
    onboardUrl: withPort(settings.onboardUrl),
    appUrl: withPort(settings.appUrl),
  }
}
