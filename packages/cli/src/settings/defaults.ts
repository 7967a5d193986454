import type { Settings } from './settings.js'

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
