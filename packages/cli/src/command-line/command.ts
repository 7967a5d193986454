/** The log levels, from the least to the most detailed. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The options that every command understands. */
export interface CommonOptions {
  readonly quiet: boolean
  /** Undefined without `-l`: only errors are logged. */
  readonly level: LogLevel | undefined
  /** Do not run the community rules. */
  readonly disabled: boolean
  /** The paths of rule documents and folders given with `-r`. */
  readonly rules: readonly string[]
  /** The value of `-o`; undefined without the flag, which differs from the empty string. */
  readonly output: string | undefined
  readonly acceptUpdates: boolean
}

/** The options of a scan. */
export interface ScanOptions extends CommonOptions {
  /** Files and folders; `-` is standard input. */
  readonly paths: readonly string[]
  /** The data source files given with `-s`. */
  readonly dataSources: readonly string[]
  /** Nanoseconds since 1970; entries before `since` or after `until` are not matched. */
  readonly since: bigint | undefined
  readonly until: bigint | undefined
  /** The zone of times without one in logs: `local`, or a zone of the engine. Undefined without `--log-tz`. */
  readonly logZone: string | undefined
  readonly follow: boolean
  /** The file that stores how far a run has read, and from which the next run continues. */
  readonly state: string | undefined
  /** Problems of this severity or worse make the exit code 3: 0 is critical, 4 is info. */
  readonly failOn: number | undefined
  /** Warnings about the data or the rules make the exit code 1. */
  readonly strict: boolean
  /** It is no error, and no warning, that there is nothing to examine. */
  readonly allowEmpty: boolean
  /** Undefined: as many as are worthwhile. */
  readonly threads: number | undefined
}

/** The options of a scan of pods, as `kubectl omen` runs it. */
export interface PodsOptions extends ScanOptions {
  /** As given: `web-1`, `deployment/web` … */
  readonly targets: readonly string[]
  /** A label selector, instead of targets. */
  readonly selector: string | undefined
  /** Undefined: the namespace that kubectl would use. */
  readonly namespace: string | undefined
  readonly allNamespaces: boolean
  /** The names of containers; an empty list means all. */
  readonly containers: readonly string[]
  readonly context: string | undefined
  readonly kubeconfig: string | undefined
  /** The user to impersonate. */
  readonly as: string | undefined
  /** Read only the instance before the last restart. */
  readonly previous: boolean
  /** How many lines to read from the end of each log. */
  readonly tail: number | undefined
  /** How many logs to read at a time. */
  readonly parallel: number | undefined
  /** `cre.log.kafka`, or `broker=cre.log.kafka` for one container. */
  readonly sourceTypes: readonly string[]
}

export type RulesAction = 'list' | 'show' | 'lint' | 'test' | 'new' | 'schema'
export type UpdatesAction = 'check' | 'install' | 'trust'
/** `kubectl` runs a plugin to complete its arguments. */
export type Shell = 'bash' | 'zsh' | 'fish' | 'kubectl'

/** A parsed command line. */
export type Command =
  | { readonly verb: 'help'; readonly topic: readonly string[] }
  | { readonly verb: 'version' }
  | ({ readonly verb: 'scan' } & ScanOptions)
  | ({ readonly verb: 'pods' } & PodsOptions)
  | ({ readonly verb: 'generate' } & CommonOptions)
  /** The namespace of the job; undefined for the template's default. */
  | ({ readonly verb: 'cron'; readonly namespace: string | undefined } & CommonOptions)
  | ({ readonly verb: 'explain'; readonly ids: readonly string[]; readonly json: boolean } & CommonOptions)
  | ({
      readonly verb: 'rules'
      readonly action: RulesAction
      readonly operands: readonly string[]
      readonly json: boolean
      /** `rules list --ids`: one identifier per line, for shell completion. */
      readonly ids: boolean
      /** `rules lint --strict`: warnings make the exit code 1. */
      readonly strict: boolean
    } & CommonOptions)
  | ({
      readonly verb: 'updates'
      readonly action: UpdatesAction
      readonly operands: readonly string[]
      readonly json: boolean
    } & CommonOptions)
  | ({
      readonly verb: 'login'
      /** The URL given on the command line. */
      readonly service: string | undefined
      readonly json: boolean
    } & CommonOptions)
  | ({ readonly verb: 'logout' } & CommonOptions)
  | ({ readonly verb: 'whoami'; readonly json: boolean } & CommonOptions)
  | ({
      readonly verb: 'config'
      readonly json: boolean
      /** The data source files given with `-s`: they override the configured one. */
      readonly dataSources: readonly string[]
    } & CommonOptions)
  | { readonly verb: 'completion'; readonly shell: Shell }
