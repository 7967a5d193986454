import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compareVersions } from '@omen/engine/versions'

/** Community rules are public; the rules of an organization are private, and run in addition. */
export type PackageKind = 'public' | 'private'

/** A package in the configuration folder. */
export interface RulesPackage {
  readonly path: string
  readonly version: string
}

/** `omen-public-cre-rules.1.4.0.9f2c….yaml.gz`, as the updater stores it after verifying the signature. */
const PACKAGE = /^omen-(public|private)-cre-rules\.v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)\.[0-9A-Za-z]+\.yaml\.gz$/

/**
 * The packages of a kind in a folder, the newest first; none if the folder cannot be read.
 *
 * @example
 * findPackages('/home/me/.preq', 'public')[0]?.version // '1.4.0'
 */
export function findPackages(folder: string, kind: PackageKind): readonly RulesPackage[] {
  return namesIn(folder)
    .sort()
    .flatMap((name) => {
      const [, found, version] = PACKAGE.exec(name) ?? []
      return found === kind && version !== undefined ? [{ path: join(folder, name), version }] : []
    })
    .sort((a, b) => compareVersions(b.version, a.version))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
