import { CONFIG_KEYS } from './config-keys.js'
import { type Environment, homeFolder, resolvePath } from './configuration-folder.js'
import { readDocument } from './document/read-document.js'
import { decodeText } from './document/read-small-file.js'
import { createRemarks, type Remarks, throwProblems } from './document/remarks.js'
import { leavesOf, type MapValue } from './document/shape.js'
import type { LoadedSettings } from './load-settings.js'
import { DEFAULT_SETTINGS, type NotificationSettings, type Settings } from './settings.js'

/** `config.yaml` as it lies on disk. */
export interface ConfigFile {
  readonly folder: string
  readonly path: string
  readonly bytes: Uint8Array
}

/** Reads what stands in `config.yaml`. Everything that is wrong with it is one failure with a line for each problem. */
export async function readConfigFile(
  { folder, path, bytes }: ConfigFile,
  env: Environment,
): Promise<Pick<LoadedSettings, 'settings' | 'origins' | 'warnings'>> {
  const { text, problem } = decodeText(bytes)
  const remarks = createRemarks(path, text)
  if (problem) remarks.problem(problem.at, problem.message)
  throwProblems('Config', remarks.problems())
  const home = homeFolder(env)
  const document = await readDocument(text, CONFIG_KEYS, {
    remarks,
    resolve: (written) => resolvePath(written, folder, home),
  })
  if (document) checkNotification(document.value.notification, document.places, remarks)
  throwProblems('Config', remarks.problems())
  const { value, places } = document!
  const origins = new Map<string, number>()
  for (const [name] of leavesOf(CONFIG_KEYS)) {
    const at = places.get(name)
    if (at !== undefined) origins.set(name, remarks.locate(at).line)
  }
  return { settings: settingsOf(value), origins, warnings: remarks.warnings() }
}

type Values = MapValue<typeof CONFIG_KEYS>

function checkNotification(
  notification: Values['notification'],
  places: ReadonlyMap<string, number>,
  remarks: Remarks,
): void {
  if (notification === undefined) return
  const { type, webhook } = notification
  const at = places.get('notification') ?? 0
  if (type === undefined && webhook !== undefined) {
    const types = CONFIG_KEYS.notification.shape.keys.type.shape.of.join(', ')
    remarks.problem(at, `notification.type is missing: add one of ${types} beside webhook`)
  }
  if (webhook === undefined && type !== undefined) {
    remarks.problem(at, `notification.webhook is missing: add the URL to send to beside type, as webhook: https://…`)
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
    // Zero is how the file says off.
    window: value.window || undefined,
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
