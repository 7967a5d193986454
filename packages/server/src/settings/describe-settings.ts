import type { LoadedSettings } from './load-settings.js'
import { SETTING_KEYS, SETTINGS, type Setting, type SettingKey } from './setting-table.js'

/** A setting as `omen-server config` shows it. */
export interface ReportedSetting {
  readonly name: SettingKey
  /** Secrets are hidden; null where nothing is set. */
  readonly value: string | number | boolean | readonly string[] | null
  readonly from: string
}

/**
 * What is in force and where it comes from, fit to be shown: secrets are hidden.
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
