/** Everything that can be set about a server, with its defaults filled in. */
export interface Settings {
  readonly host: string
  readonly port: number
  /** Absolute. Holds the keys, the admin socket and, without `databaseUrl`, the embedded database. */
  readonly dataDir: string
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly onboardUrl: string
  readonly appUrl: string
  readonly allowInsecureIdp: boolean
  /** PostgreSQL; the embedded database without it. */
  readonly databaseUrl: string | undefined
  /** Addresses or networks whose `X-Forwarded-For` is believed. */
  readonly trustProxy: readonly string[]
  /** Addresses or networks that may read `/metrics`. */
  readonly metricsFrom: readonly string[]
  /** Tries of a code per address and minute. */
  readonly limitCodeTries: number
  /** Onboarding calls per token and minute. */
  readonly limitCalls: number
  /** Checks for updates and downloads per address and minute. */
  readonly limitDownloads: number
  /** Sign-ins begun per address and minute. */
  readonly limitSignIns: number
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}
