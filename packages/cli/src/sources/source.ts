import type { CustomTimestamp } from '@omen/engine'

/** One file of a source. */
export interface SourceFile {
  /** `-` is standard input. */
  readonly path: string
  /** Bytes on disk; undefined for a pipe. */
  readonly size: number | undefined
  /** Where the time is in its lines, if the data source file says so. */
  readonly timestamp: CustomTimestamp | undefined
  /** The zone of times without one: `local`, or a zone of the engine. Without it, UTC. */
  readonly zone?: string | undefined
}

/** Data that rules match with one state: a log, standard input, or all files of an entry of a data source file. */
export interface Source {
  /** Shown in progress lines, and on every hit. */
  readonly name: string
  /** The name of its progress line, if it shares one, as the files in a folder do. */
  readonly stage?: string
  /** The type of the data: rules for it run. `*` runs every rule. */
  readonly type: string
  /** Entries are matched in the order of their times within this many nanoseconds; undefined: in the order of the log. */
  readonly window: bigint | undefined
  /** What every hit has in addition to the name: the namespace, pod and container. */
  readonly labels?: Readonly<Record<string, string>>
  /** In the order in which they are read. */
  readonly files: readonly SourceFile[]
}
