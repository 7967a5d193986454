import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readBundledRules } from './bundled.js'
import { type RuleFile, readRuleFile } from './rule-files.js'

/** The community rules that are installed. */
export interface CommunityRules {
  readonly file: RuleFile
  /** The version of the package; undefined where it has none. */
  readonly version: string | undefined
  /** Set when another version was asked for than is installed. */
  readonly warning?: string
}

export interface CommunityOptions {
  /** Stay on this version: `rulesVersion` of the configuration. */
  readonly rulesVersion?: string | undefined
  /** Reads the rules that come with the tool. */
  readonly bundled?: () => RuleFile
}

/** `omen-public-cre-rules.1.4.0.9f2c….yaml.gz`, as the updater puts it there after it has verified the signature. */
const PACKAGE = /^omen-public-cre-rules\.v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)\.[0-9A-Za-z]+\.yaml\.gz$/

/**
 * Chooses the community rules: the newest package in the configuration directory that is newer than the bundled one, else
 * the bundled one. With `rulesVersion` it is the package of that version, wherever it lies.
 *
 * @example
 * communityRules('/home/me/.preq', { rulesVersion: '1.4.0' }).file
 */
export function communityRules(folder: string | undefined, options: CommunityOptions = {}): CommunityRules {
  const { rulesVersion, bundled = readBundledRules } = options
  const packages = folder === undefined ? [] : findPackages(folder)
  if (rulesVersion !== undefined) return pinnedRules(rulesVersion.replace(/^v/, ''), packages, bundled)
  const own = bundledRules(bundled())
  const [newest] = packages
  if (newest === undefined) return own
  // A bundled document without a version is a starter set: every package is newer.
  if (own.version !== undefined && compareVersions(newest.version, own.version) <= 0) return own
  return { file: readRuleFile(newest.path), version: newest.version }
}

/** The version is looked for when it is asked for: most runs need nothing of the document but its compiled form. */
function bundledRules(file: RuleFile): CommunityRules {
  return {
    file,
    get version() {
      return packageVersion(file)
    },
  }
}

interface Package {
  readonly path: string
  readonly version: string
}

/** The packages in a folder, the newest first. A folder that cannot be read has none. */
function findPackages(folder: string): Package[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names
    .sort()
    .flatMap((name) => {
      const version = PACKAGE.exec(name)?.[1]
      return version === undefined ? [] : [{ path: join(folder, name), version }]
    })
    .sort((a, b) => compareVersions(b.version, a.version))
}

function pinnedRules(wanted: string, packages: readonly Package[], bundled: () => RuleFile): CommunityRules {
  const found = packages.find(({ version }) => version === wanted)
  if (found !== undefined) return { file: readRuleFile(found.path), version: found.version }
  const { file, version } = bundledRules(bundled())
  if (version === wanted) return { file, version }
  const instead = version === undefined ? 'the rules that come with omen run' : `version ${version} runs`
  return { file, version, warning: `rulesVersion: package ${wanted} is not installed, so ${instead}` }
}

const FOOTER =
  /^section:\s*version\s*\ncontent:\s*\n?[\s-]*\[?\{?\s*version:\s*["']?v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)/m

/** The version that the footer of an unpacked package states, found without parsing the document. */
function packageVersion({ bytes }: RuleFile): string | undefined {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
    'utf8',
    Math.max(0, bytes.length - 512),
  )
  return FOOTER.exec(tail)?.[1]
}

/** Compares semantic versions: negative when `a` comes before `b`. */
export function compareVersions(a: string, b: string): number {
  const [coreA, preA] = splitVersion(a)
  const [coreB, preB] = splitVersion(b)
  return compareParts(coreA, coreB) || comparePreReleases(preA, preB)
}

function splitVersion(version: string): [core: string[], preRelease: string[]] {
  const [whole = ''] = version.split('+', 1)
  const dash = whole.indexOf('-')
  if (dash === -1) return [whole.split('.'), []]
  return [whole.slice(0, dash).split('.'), whole.slice(dash + 1).split('.')]
}

/** `1.4.0-rc.1` comes before `1.4.0`. */
function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  return compareParts(a, b)
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const order = comparePart(a[i], b[i])
    if (order !== 0) return order
  }
  return 0
}

/** Numbers by their value and before words; what is missing comes first. */
function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
  const isNumber = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumber[0] && isNumber[1]) return Number(a) - Number(b)
  if (isNumber[0] !== isNumber[1]) return isNumber[0] ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}
