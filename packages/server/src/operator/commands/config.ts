import { describeSettings, type ReportedSetting } from '../../settings/describe-settings.js'
import { SETTINGS } from '../../settings/setting-table.js'
import { formatTable } from '../table.js'
import type { CommandContext } from './context.js'

/** `omen-server config`: the settings in force and where they come from. Opens nothing. */
export function showConfig({ console, json, loaded }: Pick<CommandContext, 'console' | 'json' | 'loaded'>): void {
  const settings = describeSettings(loaded)
  console.out(json ? asJson(loaded.file, settings) : asTable(settings))
}

function asJson(file: string | undefined, settings: readonly ReportedSetting[]): string {
  const entries = settings.map(({ name, value, from }) => [name, { value, from }] as const)
  return `${JSON.stringify({ file: file ?? null, settings: Object.fromEntries(entries) }, null, 2)}\n`
}

function asTable(settings: readonly ReportedSetting[]): string {
  const rows = settings.map(({ name, value, from }) => [name, inWords(name, value), from])
  return formatTable(['SETTING', 'VALUE', 'FROM'], rows)
}

function inWords(name: ReportedSetting['name'], value: ReportedSetting['value']): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return SETTINGS[name].default
  return Array.isArray(value) ? value.join(', ') : String(value)
}
