/** How much is logged to standard error, the least first. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What the flags say that every command understands. */
export interface CommonOptions {
  readonly quiet: boolean
  /** Undefined without `-l`: errors alone are logged. */
  readonly level: LogLevel | undefined
  /** Do not run the community rules. */
  readonly disabled: boolean
  /** Rule documents and folders of them, as given with `-r`. */
  readonly rules: readonly string[]
  /** `-o` as given: undefined without it, which is not the empty text. */
  readonly output: string | undefined
  readonly acceptUpdates: boolean
}

/** A scan, as the command line asks for it. */
export interface ScanOptions extends CommonOptions {
  /** Files and folders; `-` is standard input. */
  readonly paths: readonly string[]
  /** The data source files given with `-s`. */
  readonly dataSources: readonly string[]
  /** Nanoseconds since 1970; entries before or after are not matched. */
  readonly since: bigint | undefined
  readonly until: bigint | undefined
  readonly follow: boolean
  /** Where a run leaves how far it came, and goes on from. */
  readonly state: string | undefined
  /** The severity from which on problems found make the exit code 3: 0 critical to 4 info. */
  readonly failOn: number | undefined
  /** Undefined: as many as pay. */
  readonly threads: number | undefined
}

/** A scan of the pods of a cluster: what `kubectl omen` asks for. */
export interface PodsOptions extends ScanOptions {
  /** As typed: `web-1`, `deployment/web` … */
  readonly targets: readonly string[]
  /** A label selector, in the place of targets. */
  readonly selector: string | undefined
  /** Undefined: the one that kubectl would take. */
  readonly namespace: string | undefined
  readonly allNamespaces: boolean
  /** The names of containers; all when there are none. */
  readonly containers: readonly string[]
  readonly context: string | undefined
  readonly kubeconfig: string | undefined
  /** Whom to impersonate. */
  readonly as: string | undefined
  /** The instance before this one alone. */
  readonly previous: boolean
  /** The last so many lines of each container. */
  readonly tail: number | undefined
  /** So many logs at a time. */
  readonly parallel: number | undefined
  /** `cre.log.kafka`, or `broker=cre.log.kafka` for one container. */
  readonly sourceTypes: readonly string[]
}

export type RulesAction = 'list' | 'show' | 'lint' | 'test' | 'new' | 'schema'
export type UpdatesAction = 'check' | 'install' | 'trust'
/** `kubectl` completes the words of its plugins by asking them. */
export type Shell = 'bash' | 'zsh' | 'fish' | 'kubectl'

/** What the command line asks for. */
export type Command =
  | { readonly verb: 'help'; readonly topic: readonly string[] }
  | { readonly verb: 'version' }
  | ({ readonly verb: 'scan' } & ScanOptions)
  | ({ readonly verb: 'pods' } & PodsOptions)
  | ({ readonly verb: 'generate' } & CommonOptions)
  /** The namespace that the job is to live in; that of the template without it. */
  | ({ readonly verb: 'cron'; readonly namespace: string | undefined } & CommonOptions)
  | ({ readonly verb: 'explain'; readonly ids: readonly string[]; readonly json: boolean } & CommonOptions)
  | ({
      readonly verb: 'rules'
      readonly action: RulesAction
      readonly operands: readonly string[]
      readonly json: boolean
      /** `rules list --ids`: one identifier a line, for shells that complete words. */
      readonly ids: boolean
    } & CommonOptions)
  | ({
      readonly verb: 'updates'
      readonly action: UpdatesAction
      readonly operands: readonly string[]
      readonly json: boolean
    } & CommonOptions)
  | ({
      readonly verb: 'login'
      /** The address that was given. */
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
