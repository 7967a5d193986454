import { compareVersions } from '@omen/engine/versions'
import { readPackaged } from '../../packaged/files.js'
import { findPackages, type RulesPackage } from './packages.js'
import { type RuleFile, readRuleFile } from './rule-files.js'

/** The installed community rules. */
export interface CommunityRules {
  readonly file: RuleFile
  /** The version of the package, if it has one. */
  readonly version: string | undefined
  /** Set if the configured version is not installed. */
  readonly warning?: string
}

export interface CommunityOptions {
  /** Use this version: `rulesVersion` of the configuration. */
  readonly rulesVersion?: string | undefined
  /** Reads the rules that are bundled with the tool. */
  readonly bundled?: () => RuleFile
}

/**
 * Chooses the community rules: the newest package in the configuration folder if it is newer than the bundled one, else the bundled
 * one. With `rulesVersion`, the package of that version.
 *
 * @example
 * communityRules('/home/me/.preq', { rulesVersion: '1.4.0' }).file
 */
export function communityRules(folder: string | undefined, options: CommunityOptions = {}): CommunityRules {
  const { rulesVersion, bundled = readBundledRules } = options
  const packages = folder === undefined ? [] : findPackages(folder, 'public')
  if (rulesVersion !== undefined) return pinnedRules(rulesVersion.replace(/^v/, ''), packages, bundled)
  const own = bundledRules(bundled())
  const [newest] = packages
  if (newest === undefined) return own
  // A bundled document without a version is a starter set, and every package is newer.
  if (own.version !== undefined && compareVersions(newest.version, own.version) <= 0) return own
  return { file: readRuleFile(newest.path), version: newest.version }
}

/**
 * The version of the bundled rules; undefined if they have none, or there are none.
 *
 * @example
 * bundledVersion() // '1.0.0'
 */
export function bundledVersion(bundled: () => RuleFile = readBundledRules): string | undefined {
  try {
    return packageVersion(bundled())
  } catch {
    return undefined
  }
}

/** The version is read lazily, because most runs need only the compiled form of the document. */
function bundledRules(file: RuleFile): CommunityRules {
  return {
    file,
    get version() {
      return packageVersion(file)
    },
  }
}

function pinnedRules(wanted: string, packages: readonly RulesPackage[], bundled: () => RuleFile): CommunityRules {
  const found = packages.find(({ version }) => version === wanted)
  if (found !== undefined) return { file: readRuleFile(found.path), version: found.version }
  const { file, version } = bundledRules(bundled())
  if (version === wanted) return { file, version }
  const instead = version === undefined ? 'the bundled rules are used' : `version ${version} is used`
  return { file, version, warning: `rulesVersion: package ${wanted} is not installed, so ${instead}` }
}

const FOOTER =
  /^section:\s*version\s*\ncontent:\s*\n?[\s-]*\[?\{?\s*version:\s*["']?v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)/m

/** The version in the footer of an uncompressed package, found without parsing the document. */
function packageVersion({ bytes }: RuleFile): string | undefined {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
    'utf8',
    Math.max(0, bytes.length - 512),
  )
  return FOOTER.exec(tail)?.[1]
}

/** The rules that are bundled with the tool. */
export interface BundledRules extends RuleFile {
  /** The output of `exportRules`, generated when the tool is built: if no other rules run, nothing is compiled. */
  readonly compiled: string
}

/**
 * The rules that are bundled with the tool: one document, generated from `rules/` when the tool is built. Both forms are read
 * lazily.
 *
 * @example
 * const { compiled } = readBundledRules()
 */
export function readBundledRules(): BundledRules {
  let bytes: Uint8Array | undefined
  return {
    name: 'bundled rules',
    get bytes() {
      bytes ??= readPackaged('rules.yaml')
      return bytes
    },
    get compiled() {
      return readPackaged('rules.compiled').toString()
    },
  }
}
