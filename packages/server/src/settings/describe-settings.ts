import type { LoadedSettings } from './load-settings.js'
import { SETTING_KEYS, SETTINGS, type Setting, type SettingKey } from './setting-table.js'

/** A setting as `omen-server config` shows it. */
export interface ReportedSetting {
  readonly name: SettingKey
  /** Secrets are hidden; null if it is not set. */
  readonly value: string | number | boolean | readonly string[] | null
  readonly from: string
}

/**
 * The current settings and their origins, for printing: secrets are hidden.
 *
 * @example
 * describeSettings(loaded)[1] // { name: 'port', value: 8443, from: 'OMEN_PORT' }
 */
export function describeSettings({ settings, origins }: LoadedSettings): readonly ReportedSetting[] {
  return SETTING_KEYS.map((name) => {
    const value = settings[name]
    const { masked } = SETTINGS[name] as Setting
    return { name, value: value === undefined ? null : masked ? masked(value) : value, from: origins[name] }
  })
}

/**
 * A database URL for a message or a log: host and database, without user, password or options.
 *
 * @example
 * describeDatabase('postgres://omen:secret@db.example.com/omen') // 'postgres://db.example.com/omen'
 */
export function describeDatabase(url: string): string {
  if (!URL.canParse(url)) return 'postgres://…'
  const { host, pathname, searchParams } = new URL(url)
  return `postgres://${host || (searchParams.get('host') ?? '')}${pathname}`
}
