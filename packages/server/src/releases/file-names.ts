import { isVersion } from '@omen/engine/versions'
import { Problem } from '../problem.js'

/** A package of rules by its name: `omen-public-cre-rules.1.4.0.3f0c9a1b2d4e.yaml.gz`. */
export interface PackageName {
  /** `private` for the packages of one organization. */
  readonly channel: 'public' | 'private'
  readonly version: string
  /** The first twelve hexadecimal digits of the SHA-256 of the file. */
  readonly hash: string
}

/** A single-file executable by its name: `omen-0.3.0-linux-x64`, `omen-0.3.0-win32-x64.exe`. */
export interface ToolName {
  readonly version: string
  /** As Node.js calls it: `process.platform` and `process.arch`. */
  readonly platform: string
}

/** Enough to distinguish the packages of a version; the whole hash is in the `.sha256` file. */
const HASH_DIGITS = 12

const PACKAGE = /^omen-(public|private)-cre-rules\.(.{1,96})\.([0-9a-f]{12})\.yaml\.gz$/
const TOOL = /^omen-(.{1,96})-((?:linux|darwin|freebsd|win32)-[a-z0-9]{1,32})(\.exe)?$/

/** The files that come with every file: its hash, and its signature. */
export const COMPANIONS = ['.sha256', '.sig'] as const
export type Companion = (typeof COMPANIONS)[number]

/**
 * The name of a package.
 *
 * @example
 * packageName({ channel: 'public', version: '1.4.0', sha256: '3f0c9a1b2d4e…' }) // 'omen-public-cre-rules.1.4.0.3f0c9a1b2d4e.yaml.gz'
 */
export function packageName({
  channel,
  version,
  sha256,
}: Omit<PackageName, 'hash'> & { readonly sha256: string }): string {
  return `omen-${channel}-cre-rules.${version}.${sha256.slice(0, HASH_DIGITS)}.yaml.gz`
}

/** Reads the name of a package; undefined when it is not one. */
export function readPackageName(name: string): PackageName | undefined {
  const [, channel, version = '', hash = ''] = PACKAGE.exec(name) ?? []
  if (channel === undefined || !isVersion(version)) return undefined
  return { channel: channel === 'private' ? 'private' : 'public', version, hash }
}

/** Reads the name of an executable; undefined when it is not one. Those for Windows, and no others, end in `.exe`. */
export function readToolName(name: string): ToolName | undefined {
  const [, version = '', platform, extension] = TOOL.exec(name) ?? []
  if (platform === undefined || !isVersion(version)) return undefined
  return platform.startsWith('win32-') === (extension !== undefined) ? { version, platform } : undefined
}

/** The line that `sha256sum -c` reads. */
export function checksumLine(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`
}

/** Splits a requested name into the file and its companion, if one is meant. */
export function splitCompanion(name: string): { readonly file: string; readonly companion: Companion | undefined } {
  const companion = COMPANIONS.find((ending) => name.endsWith(ending))
  return { file: companion === undefined ? name : name.slice(0, -companion.length), companion }
}

export function badPackageName(name: string, channel: PackageName['channel']): Problem {
  const form = `omen-${channel}-cre-rules.<version>.<hash>.yaml.gz`
  return new Problem(
    'invalid_package',
    `${JSON.stringify(name)} is not a valid package name: it must be ${form}, as made by omen-server rules pack${channel === 'private' ? ' --private' : ''}.`,
  )
}
