import { CONFIG_KEYS } from './config-keys.js'
import type { Environment } from './configuration-folder.js'
import { formatDuration } from './document/duration.js'
import { leavesOf } from './document/shape.js'
import type { LoadedSettings } from './load-settings.js'
import { maskPassword, maskUrl } from './mask-url.js'
import type { Settings } from './settings.js'

/** The flags that override `config.yaml`. */
export interface SettingFlags {
  /** `-d` */
  readonly disabled: boolean
  /** `-r`, in addition to `rules.paths`. */
  readonly rules: readonly string[]
  /** `-y` */
  readonly acceptUpdates: boolean
  /** `-s`, instead of `dataSources`. */
  readonly dataSources?: readonly string[]
}

/** A JSON value. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain }

/** A value and its origin. */
export interface ReportedValue {
  /** Durations are strings and secrets are masked; null if nothing is set. */
  readonly value: Plain
  /** `default`, `config.yaml:3`, or the flag. */
  readonly from: string
}

/** What `omen config` shows. */
export interface ConfigReport {
  readonly folder: { readonly path: string; readonly from: string }
  readonly file: { readonly path: string; readonly exists: boolean }
  readonly ruleCache: string
  /** The rule packages in use. */
  readonly packages: readonly ReportedPackage[]
  readonly settings: readonly ReportedSetting[]
}

/** A rule package with its version and path. */
export interface ReportedPackage {
  readonly name: 'Community rules' | 'Private rules'
  readonly version: string | undefined
  readonly path: string
}

/** A setting. The items of a list are separate values, because they may have different origins. */
export interface ReportedSetting {
  readonly name: string
  readonly isList: boolean
  readonly values: readonly ReportedValue[]
}

/** The values of each setting, as they are shown. */
const VALUES: Readonly<Record<string, (settings: Settings) => readonly (Plain | undefined)[]>> = {
  'rules.paths': ({ rulesPaths }) => rulesPaths,
  'rules.disableCommunityRules': ({ disableCommunityRules }) => [disableCommunityRules],
  rulesVersion: ({ rulesVersion }) => [rulesVersion],
  acceptUpdates: ({ acceptUpdates }) => [acceptUpdates],
  updateFrequency: ({ updateFrequency }) => [formatDuration(updateFrequency)],
  dataSources: ({ dataSources }) => [dataSources],
  timestamps: ({ timestamps }) => timestamps.map(({ pattern, format }) => ({ pattern, format })),
  timezone: ({ timezone }) => [timezone],
  window: ({ window }) => [window === undefined ? 'off' : formatDuration(window)],
  skip: ({ skip }) => [skip],
  'notification.type': ({ notification }) => [notification?.type],
  'notification.webhook': ({ notification }) => [notification && maskUrl(notification.webhook)],
  'service.url': ({ serviceUrl }) => [serviceUrl && maskPassword(serviceUrl)],
  'updates.publicKeys': ({ publicKeys }) => publicKeys.map((key) => (key.includes('-----BEGIN') ? 'PEM key' : key)),
}

/** The values that flags set: instead of those in the file, or, for `rules.paths`, in addition to them. */
const FLAGS: Readonly<Record<string, (flags: SettingFlags) => readonly ReportedValue[]>> = {
  'rules.paths': ({ rules }) => rules.map((value) => ({ value, from: '-r' })),
  'rules.disableCommunityRules': ({ disabled }) => (disabled ? [{ value: true, from: '-d' }] : []),
  acceptUpdates: ({ acceptUpdates }) => (acceptUpdates ? [{ value: true, from: '-y' }] : []),
  dataSources: ({ dataSources = [] }) => dataSources.map((value) => ({ value, from: '-s' })),
}

/**
 * Collects the effective settings and the origin of each value.
 *
 * @example
 * const report = describeSettings(loaded, command, { env, ruleCache })
 * screen.write(renderConfig(report))
 */
export function describeSettings(
  loaded: LoadedSettings,
  flags: SettingFlags,
  {
    env,
    ruleCache,
    packages = [],
  }: {
    readonly env: Environment
    readonly ruleCache: string
    readonly packages?: readonly ReportedPackage[]
  },
): ConfigReport {
  return {
    folder: { path: loaded.folder, from: env.OMEN_CONFIG_DIR ? 'OMEN_CONFIG_DIR' : 'default' },
    file: { path: loaded.file, exists: loaded.fileExists },
    ruleCache,
    packages,
    settings: leavesOf(CONFIG_KEYS).map(([name, { shape }]) => ({
      name,
      isList: shape.is === 'list',
      values: valuesOf(name, loaded, flags),
    })),
  }
}

function valuesOf(name: string, { settings, origins }: LoadedSettings, flags: SettingFlags): readonly ReportedValue[] {
  const given = FLAGS[name]?.(flags) ?? []
  if (given.length > 0 && name !== 'rules.paths') return given
  const line = origins.get(name)
  const from = line === undefined ? 'default' : `config.yaml:${line}`
  return [...VALUES[name]!(settings).map((value) => ({ value: value ?? null, from })), ...given]
}
