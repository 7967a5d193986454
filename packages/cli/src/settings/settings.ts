export const NOTIFICATION_TYPES = ['slack', 'mattermost', 'discord', 'teams', 'webhook'] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** Where detections are announced. */
export interface NotificationSettings {
  readonly type: NotificationType
  readonly webhook: string
}

/** What `config.yaml` says, with the defaults where it says nothing. Paths are absolute, durations nanoseconds. */
export interface Settings {
  readonly rulesPaths: readonly string[]
  readonly disableCommunityRules: boolean
  readonly rulesVersion: string | undefined
  readonly acceptUpdates: boolean
  readonly updateFrequency: bigint
  readonly dataSources: string | undefined
  readonly timestamps: readonly { readonly pattern: string; readonly format: string }[]
  readonly window: bigint | undefined
  readonly skip: number
  readonly notification: NotificationSettings | undefined
  readonly serviceUrl: string | undefined
  /** PEM texts, or absolute paths of files that hold one. */
  readonly publicKeys: readonly string[]
}

/** What is in force where `config.yaml` says nothing. The tables of the manual and `omen config` show the same values. */
export const DEFAULT_SETTINGS: Settings = {
  rulesPaths: [],
  disableCommunityRules: false,
  rulesVersion: undefined,
  acceptUpdates: false,
  updateFrequency: 86_400_000_000_000n,
  dataSources: undefined,
  timestamps: [],
  window: undefined,
  skip: 50,
  notification: undefined,
  serviceUrl: undefined,
  publicKeys: [],
}
