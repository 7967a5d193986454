import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findPackages, type PackageKind } from '../rules/loading/packages.js'

/** What is kept. */
export interface Kept {
  readonly kind: PackageKind
  /** The version that was just installed. */
  readonly version: string
  /** A version that the settings stay on. */
  readonly keep?: string | undefined
}

/** What a run that was killed leaves: parts of packages, and files that were being written. */
const TEMPORARY = /^\.(omen-(public|private)-cre-rules\..+\.(part|part\.etag|tmp)|updates\.json\..+\.tmp)$/

/** Beside a package. */
const COMPANION = /^(omen-(?:public|private)-cre-rules\..+\.yaml\.gz)\.(?:sha256|sig)$/

/** A younger one may belong to a process that is at work. */
const STALE = 24 * 60 * 60 * 1000

/**
 * Removes the packages that are older than the one before the newest, and what belonged to them. What cannot be removed stays.
 *
 * @example
 * removeOldPackages('/home/ada/.preq', { kind: 'public', version: '1.4.0' })
 */
export function removeOldPackages(folder: string, { kind, version, keep }: Kept): void {
  const others = findPackages(folder, kind).filter((found) => found.version !== version)
  const [previous] = others
  for (const { path, version } of others) {
    if (path === previous?.path || version === keep) continue
    for (const name of [path, `${path}.sha256`, `${path}.sig`]) remove(name)
  }
}

/**
 * Removes what runs that were killed have left: parts of other packages than those that are now wanted, half-written files,
 * signatures without their package. Only for whoever holds the lock.
 *
 * @example
 * removeLeftovers('/home/ada/.preq', ['omen-public-cre-rules.1.4.0.9f2c11aa0b1c.yaml.gz'])
 */
export function removeLeftovers(folder: string, wanted: readonly string[], now = Date.now()): void {
  const names = namesIn(folder)
  for (const name of names) {
    const path = join(folder, name)
    const owner = COMPANION.exec(name)?.[1]
    const isOrphan = owner !== undefined && !names.includes(owner)
    const isWanted = wanted.some((file) => name.startsWith(`.${basename(file)}.part`))
    const isLeft = isOrphan || (TEMPORARY.test(name) && !isWanted)
    if (isLeft && (isOrphan || !name.endsWith('.tmp') || isStale(path, now))) remove(path)
  }
}

function isStale(path: string, now: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && now - stats.mtimeMs > STALE
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It does no harm.
  }
}
