/** The settings of a server, with defaults. */
export interface Settings {
  readonly host: string
  readonly port: number
  /** The absolute path of the folder of the keys, the admin socket and, without `databaseUrl`, the embedded database. */
  readonly dataDir: string
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly onboardUrl: string
  readonly appUrl: string
  readonly allowInsecureIdp: boolean
  /** PostgreSQL; undefined for the embedded database. */
  readonly databaseUrl: string | undefined
  /** Addresses or networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[]
  /** Addresses or networks that may read `/metrics`. */
  readonly metricsFrom: readonly string[]
  /** Attempts to enter a code, per address and minute. */
  readonly limitCodeTries: number
  /** Onboarding requests, per token and minute. */
  readonly limitCalls: number
  /** Checks for updates and downloads, per address and minute. */
  readonly limitDownloads: number
  /** Started sign-ins, per address and minute. */
  readonly limitSignIns: number
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}
