export const NOTIFICATION_TYPES = ['slack', 'mattermost', 'discord', 'teams', 'webhook'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** The service that detections are announced to. */
export interface NotificationSettings {
  readonly type: NotificationType
  readonly webhook: string
}

/** The settings of `config.yaml`, including defaults. Paths are absolute, durations are in nanoseconds. */
export interface Settings {
  readonly rulesPaths: readonly string[]
  readonly disableCommunityRules: boolean
  readonly rulesVersion: string | undefined
  readonly acceptUpdates: boolean
  readonly updateFrequency: bigint
  readonly dataSources: string | undefined
  readonly timestamps: readonly { readonly pattern: string; readonly format: string }[]
  /** The zone of times without one: `local`, or a zone of the engine. Undefined: the default of the source. */
  readonly timezone: string | undefined
  /** Undefined: off. */
  readonly window: bigint | undefined
  readonly skip: number
  readonly notification: NotificationSettings | undefined
  readonly serviceUrl: string | undefined
  /** Keys in PEM, or absolute paths of files that contain one. */
  readonly publicKeys: readonly string[]
}

/** The default of every setting. The tables of the manual and `omen config` show the same values. */
export const DEFAULT_SETTINGS: Settings = {
  rulesPaths: [],
  disableCommunityRules: false,
  rulesVersion: undefined,
  acceptUpdates: false,
  updateFrequency: 86_400_000_000_000n,
  dataSources: undefined,
  timestamps: [],
  timezone: undefined,
  window: 1_000_000_000n,
  skip: 50,
  notification: undefined,
  serviceUrl: undefined,
  publicKeys: [],
}
