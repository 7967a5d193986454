import { type BigIntStats, statSync } from 'node:fs'

/** A file that a path leads to. */
export interface FoundFile {
  readonly path: string
  /** Undefined for what has no size: a pipe, a device. */
  readonly size: number | undefined
  /** The same for every name of the same file. */
  readonly identity: string
  /** The folder that was walked to it, as it was given. */
  readonly folder: string | undefined
}

/** What was found, what went wrong, and what was left out. */
export interface Found {
  readonly files: readonly FoundFile[]
  /** Each names its path. */
  readonly problems: readonly string[]
  readonly skipped: readonly Skipped[]
}

/** A file that was left out, and why. */
export interface Skipped {
  readonly path: string
  readonly reason: string
}

/** Big numbers: the inodes of some file systems do not fit in others. */
export function lookAt(path: string): BigIntStats {
  return statSync(path, { bigint: true })
}

export function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`
}

export function foundFile(path: string, stats: BigIntStats, folder?: string): FoundFile {
  return { path, size: stats.isFile() ? Number(stats.size) : undefined, identity: identityOf(stats), folder }
}
