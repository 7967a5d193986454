import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findPackages, type PackageKind } from '../rules/loading/packages.js'

export interface KeptPackages {
  readonly kind: PackageKind
  /** The version that was just installed. */
  readonly version: string
  /** The version that `rulesVersion` selects. */
  readonly keep?: string | undefined
}

/** Files of runs that were killed: partly downloaded packages, and temporary files. */
const TEMPORARY = /^\.(omen-(public|private)-cre-rules\..+\.(part|part\.etag|tmp)|updates\.json\..+\.tmp)$/

/** The hash or signature of a package. */
const COMPANION = /^(omen-(?:public|private)-cre-rules\..+\.yaml\.gz)\.(?:sha256|sig)$/

/** Milliseconds. A newer file may belong to a running process. */
const STALE_AFTER = 24 * 60 * 60 * 1000

/**
 * Removes old packages except the previous one, with their hashes and signatures. A file that cannot be removed stays.
 *
 * @example
 * removeOldPackages('/home/ada/.preq', { kind: 'public', version: '1.4.0' })
 */
export function removeOldPackages(folder: string, { kind, version, keep }: KeptPackages): void {
  const others = findPackages(folder, kind).filter((found) => found.version !== version)
  const [previous] = others
  for (const { path, version } of others) {
    if (path === previous?.path || version === keep) continue
    for (const name of [path, `${path}.sha256`, `${path}.sig`]) remove(name)
  }
}

/**
 * Removes the files that killed runs have left: parts of packages that are not wanted now, temporary files, and signatures without
 * their package. The caller must hold the lock.
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
    const isLeftover = isOrphan || (TEMPORARY.test(name) && !isWanted)
    if (isLeftover && (isOrphan || !name.endsWith('.tmp') || isStale(path, now))) remove(path)
  }
}

function isStale(path: string, now: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && now - stats.mtimeMs > STALE_AFTER
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
    // The file does no harm.
  }
}
