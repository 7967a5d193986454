import {
  type ReadValue,
  readBoolean,
  readChoice,
  readDatabaseUrl,
  readFolder,
  readHost,
  readNetworks,
  readNumber,
  readOrigin,
} from './read-value.js'
import type { Settings } from './settings.js'

/** A setting: its names on the command line, in the environment and in a file, and its values. */
export interface Setting<T = unknown> {
  /** `--port`; undefined for a secret, which every user of the machine could see in a flag. */
  readonly flag: string | undefined
  /** The argument of the flag; a boolean has none. */
  readonly argument?: string
  readonly environment: string
  readonly about: string
  /** The default, as help and documentation show it. */
  readonly default: string
  readonly read: ReadValue<T>
  /** The default value. `settled` contains the settings above this one in the table. */
  readonly fallback: (settled: Partial<Settings>, folder: string) => T
  /** A list, which may be a YAML list in a file. */
  readonly isList?: true
  /** How a secret value is shown. */
  readonly masked?: (value: T) => string
}

/** The default address of a server. */
function localUrl({ port }: Partial<Settings>): string {
  return `http://localhost:${port ?? 0}`
}

/**
 * Every setting, in the order in which they are shown. Flags, variables, file, help, `omen-server config` and documentation come
 * from this table; the keys are the names in a file.
 */
export const SETTINGS: { readonly [K in keyof Settings]-?: Setting<Settings[K]> } = {
  host: {
    flag: '--host',
    argument: 'address',
    environment: 'OMEN_HOST',
    about: 'address to listen on; 0.0.0.0 for every network',
    default: '127.0.0.1',
    read: readHost,
    fallback: () => '127.0.0.1',
  },
  port: {
    flag: '--port',
    argument: 'number',
    environment: 'OMEN_PORT',
    about: 'port to listen on; 0 for any free port',
    default: '8080',
    read: readNumber('a port', 0, 65_535),
    fallback: () => 8080,
  },
  dataDir: {
    flag: '--data-dir',
    argument: 'folder',
    environment: 'OMEN_DATA_DIR',
    about: 'folder of the keys, the admin socket and, without DATABASE_URL, the embedded database',
    default: './omen-data',
    read: readFolder,
    fallback: (_, folder) => readFolder('omen-data', { folder }),
  },
  databaseUrl: {
    flag: undefined,
    environment: 'DATABASE_URL',
    about: 'PostgreSQL, as postgres://user:password@host/database',
    default: 'the embedded database',
    read: readDatabaseUrl,
    fallback: () => undefined,
    masked: () => 'hidden',
  },
  baseUrl: {
    flag: '--base-url',
    argument: 'url',
    environment: 'OMEN_BASE_URL',
    about: 'URL of sign-in for browsers and identity providers',
    default: 'http://localhost:<port>',
    read: readOrigin,
    fallback: localUrl,
  },
  onboardUrl: {
    flag: '--onboard-url',
    argument: 'url',
    environment: 'OMEN_ONBOARD_URL',
    about: 'URL of onboarding for administrators',
    default: 'the base URL',
    read: readOrigin,
    fallback: (settled) => settled.baseUrl ?? localUrl(settled),
  },
  appUrl: {
    flag: '--app-url',
    argument: 'url',
    environment: 'OMEN_APP_URL',
    about: 'URL of the app for users',
    default: 'the base URL',
    read: readOrigin,
    fallback: (settled) => settled.baseUrl ?? localUrl(settled),
  },
  allowInsecureIdp: {
    flag: '--allow-insecure-idp',
    environment: 'OMEN_ALLOW_INSECURE_IDP',
    about: 'development only: allow identity providers with HTTP and private addresses',
    default: 'false',
    read: readBoolean,
    fallback: () => false,
  },
  trustProxy: {
    flag: '--trust-proxy',
    argument: 'addresses',
    environment: 'OMEN_TRUST_PROXY',
    about: 'addresses or networks of proxies whose X-Forwarded-For is trusted',
    default: 'none',
    read: readNetworks,
    fallback: () => [],
    isList: true,
  },
  metricsFrom: {
    flag: '--metrics-from',
    argument: 'addresses',
    environment: 'OMEN_METRICS_FROM',
    about: 'addresses or networks that may read /metrics',
    default: 'this machine',
    read: readNetworks,
    fallback: () => ['127.0.0.0/8', '::1'],
    isList: true,
  },
  limitCodeTries: {
    flag: '--limit-code-tries',
    argument: 'number',
    environment: 'OMEN_LIMIT_CODE_TRIES',
    about: 'attempts to enter a code, per address and minute',
    default: '10',
    read: readNumber('a limit', 1, 1_000_000),
    fallback: () => 10,
  },
  limitCalls: {
    flag: '--limit-calls',
    argument: 'number',
    environment: 'OMEN_LIMIT_CALLS',
    about: 'onboarding requests, per token and minute',
    default: '60',
    read: readNumber('a limit', 1, 1_000_000),
    fallback: () => 60,
  },
  limitDownloads: {
    flag: '--limit-downloads',
    argument: 'number',
    environment: 'OMEN_LIMIT_DOWNLOADS',
    about: 'checks for updates and downloads, per address and minute',
    default: '120',
    read: readNumber('a limit', 1, 1_000_000),
    fallback: () => 120,
  },
  limitSignIns: {
    flag: '--limit-sign-ins',
    argument: 'number',
    environment: 'OMEN_LIMIT_SIGN_INS',
    about: 'started sign-ins, per address and minute',
    default: '60',
    read: readNumber('a limit', 1, 1_000_000),
    fallback: () => 60,
  },
  logLevel: {
    flag: '--log-level',
    argument: 'level',
    environment: 'OMEN_LOG_LEVEL',
    about: 'fatal, error, warn, info, debug, trace or silent',
    default: 'info',
    read: readChoice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    fallback: () => 'info',
  },
}

export type SettingKey = keyof Settings

export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[]

/** The settings file. */
export const CONFIG_FLAG = { flag: '--config', argument: 'file', environment: 'OMEN_CONFIG' } as const

/** Other variables of the service and of the tool: no warning is printed about them. */
export const OTHER_VARIABLES = [
  CONFIG_FLAG.environment,
  'OMEN_SIGNING_KEY',
  'OMEN_ENCRYPTION_KEY',
  'OMEN_CONFIG_DIR',
] as const
