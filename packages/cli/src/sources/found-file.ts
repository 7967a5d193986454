import { type BigIntStats, statSync } from 'node:fs'
import type { Skipped } from './skipped.js'

/** A file that a path leads to. */
export interface FoundFile {
  readonly path: string
  /** Undefined for a pipe or a device, which have no size. */
  readonly size: number | undefined
  /** The same for every name of the same file. */
  readonly identity: string
  /** The folder in which it was found, as it was given. */
  readonly folder: string | undefined
}

/** The files found, the problems, and the files left out. */
export interface Found {
  readonly files: readonly FoundFile[]
  /** Each names its path. */
  readonly problems: readonly string[]
  readonly skipped: readonly Skipped[]
}

/** With BigInt: the inodes of some file systems do not fit in a number. */
export function statOf(path: string): BigIntStats {
  return statSync(path, { bigint: true })
}

export function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`
}

export function foundFile(path: string, stats: BigIntStats, folder?: string): FoundFile {
  return { path, size: stats.isFile() ? Number(stats.size) : undefined, identity: identityOf(stats), folder }
}

const PARTS = /\d+|\D+/g

/**
 * Compares names with numbers in them: `app.log.2` comes before `app.log.10`. It does not depend on the locale.
 *
 * @example
 * ['app.10', 'app.9'].sort(inNaturalOrder) // ['app.9', 'app.10']
 */
export function inNaturalOrder(a: string, b: string): number {
  const left = a.match(PARTS) ?? []
  const right = b.match(PARTS) ?? []
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = compareParts(left[i], right[i])
    if (order !== 0) return order
  }
  return left.length - right.length || compareText(a, b)
}

function compareParts(a: string, b: string): number {
  if (!isNumber(a) || !isNumber(b)) return compareText(a, b)
  const left = a.replace(/^0+/, '')
  const right = b.replace(/^0+/, '')
  return left.length - right.length || compareText(left, right)
}

function isNumber(part: string): boolean {
  return part >= '0' && part < ':'
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
