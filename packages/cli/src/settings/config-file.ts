import { CONFIG_KEYS } from './config-keys.js'
import { type Environment, homeFolder, resolvePath } from './configuration-folder.js'
import { createFindings, type Findings, throwErrors } from './document/findings.js'
import { readDocument } from './document/read-document.js'
import { decodeText } from './document/read-small-file.js'
import { leavesOf, type MapValue } from './document/shape.js'
import type { LoadedSettings } from './load-settings.js'
import { DEFAULT_SETTINGS, type NotificationSettings, type Settings } from './settings.js'

/** The content of `config.yaml`. */
export interface ConfigFile {
  readonly folder: string
  readonly path: string
  readonly bytes: Uint8Array
}

/** Parses `config.yaml`. Throws one failure for all errors, with a line for each. */
export async function readConfigFile(
  { folder, path, bytes }: ConfigFile,
  env: Environment,
): Promise<Pick<LoadedSettings, 'settings' | 'origins' | 'warnings'>> {
  const { text, problem } = decodeText(bytes)
  const findings = createFindings(path, text)
  if (problem) findings.error(problem.at, problem.message)
  throwErrors('Config', findings.errors())
  const home = homeFolder(env)
  const document = await readDocument(text, CONFIG_KEYS, {
    findings,
    resolve: (written) => resolvePath(written, folder, home),
  })
  if (document) checkNotification(document.value.notification, document.places, findings)
  throwErrors('Config', findings.errors())
  const { value, places } = document!
  const origins = new Map<string, number>()
  for (const [name] of leavesOf(CONFIG_KEYS)) {
    const at = places.get(name)
    if (at !== undefined) origins.set(name, findings.locate(at).line)
  }
  return { settings: settingsOf(value), origins, warnings: findings.warnings() }
}

type Values = MapValue<typeof CONFIG_KEYS>

function checkNotification(
  notification: Values['notification'],
  places: ReadonlyMap<string, number>,
  findings: Findings,
): void {
  if (notification === undefined) return
  const { type, webhook } = notification
  const at = places.get('notification') ?? 0
  if (type === undefined && webhook !== undefined) {
    const types = CONFIG_KEYS.notification.shape.keys.type.shape.of.join(', ')
    findings.error(at, `notification.type is missing: add one of ${types} next to webhook`)
  }
  if (webhook === undefined && type !== undefined) {
    findings.error(at, `notification.webhook is missing: add the URL next to type, such as webhook: https://…`)
  }
}

function settingsOf(value: Values): Settings {
  const defaults = DEFAULT_SETTINGS
  return {
    rulesPaths: value.rules?.paths ?? defaults.rulesPaths,
    disableCommunityRules: value.rules?.disableCommunityRules ?? defaults.disableCommunityRules,
    rulesVersion: value.rulesVersion,
    acceptUpdates: value.acceptUpdates ?? defaults.acceptUpdates,
    updateFrequency: value.updateFrequency ?? defaults.updateFrequency,
    dataSources: value.dataSources,
    timestamps: value.timestamps ?? defaults.timestamps,
    timezone: value.timezone,
    // In the file, zero means off.
    window: value.window === undefined ? defaults.window : value.window || undefined,
    skip: value.skip ?? defaults.skip,
    notification: notificationOf(value.notification),
    serviceUrl: value.service?.url?.replace(/\/+$/, ''),
    publicKeys: value.updates?.publicKeys ?? defaults.publicKeys,
  }
}

function notificationOf(notification: Values['notification']): NotificationSettings | undefined {
  const { type, webhook } = notification ?? {}
  return type === undefined || webhook === undefined ? undefined : { type, webhook }
}
