import type { RulesError, RulesProblem, RulesWarning } from '@omen/engine'
import { formatCount } from '../../console/text/amounts.js'
import { Failure } from '../../failure.js'
import type { Session } from '../../session.js'
import { communityRules } from './community-rules.js'
import { findPackages } from './packages.js'
import { type RuleFile, readRuleFile, readRuleFiles } from './rule-files.js'

/** The rules to load. */
export interface RulesRequest {
  /** `-d`: do not run the community rules. */
  readonly disabled: boolean
  /** The settings of `config.yaml` about rules. */
  readonly settings: {
    readonly rulesPaths: readonly string[]
    readonly disableCommunityRules: boolean
    readonly rulesVersion?: string | undefined
  }
  /** The paths given with `-r`. */
  readonly rules: readonly string[]
  /** The configuration folder, which may contain a newer package. */
  readonly folder?: string | undefined
  /** Called with warnings. */
  readonly warn?: (message: string) => void
  /** Reads the rules that are bundled with the tool. */
  readonly bundled?: () => RuleFile
}

/**
 * Reads the rule documents of a run, in load order: community rules, the package of the organization, `rules.paths`, `-r`. Throws a
 * `Failure` for a path that cannot be read, and if there are no rules.
 *
 * @example
 * const rules = await loadRules(ruleDocuments({ disabled: false, settings, rules: ['my-rules'] }), cacheFolder)
 */
export function ruleDocuments(request: RulesRequest): RuleFile[] {
  const { disabled, settings, rules, folder, warn, bundled } = request
  const files: RuleFile[] = []
  if (!disabled && !settings.disableCommunityRules) {
    const { rulesVersion } = settings
    const community = communityRules(folder, { rulesVersion, ...(bundled && { bundled }) })
    if (community.warning !== undefined) warn?.(community.warning)
    files.push(community.file)
  }
  // Rules of the organization are not community rules: like those of rules.paths, they also run with -d.
  const [ownPackage] = folder === undefined ? [] : findPackages(folder, 'private')
  if (ownPackage) files.push(readRuleFile(ownPackage.path))
  for (const path of [...settings.rulesPaths, ...rules]) files.push(...readRuleFiles(path))
  if (files.length > 0) return files
  const alternative = disabled ? 'remove -d' : 'remove rules.disableCommunityRules from config.yaml'
  throw new Failure('Rules', 'no rules to run', { hint: `Name a rule document with -r, or ${alternative}.` })
}

/** An error for the log, with structured fields. */
export interface RulesLogEntry {
  readonly message: string
  readonly fields: Readonly<Record<string, string | number>>
}

/** The output for rule documents that cannot be used. */
export interface RulesFailure {
  /** One entry for each duplicate identifier, for the log at level `error`; written first. */
  readonly log: readonly RulesLogEntry[]
  /** The lines for standard error. */
  readonly lines: readonly string[]
}

/** Further lines would not help. */
const MOST_LINES = 100

/**
 * Describes the problems of rule documents.
 *
 * @example
 * const { log, lines } = rulesFailure(error)
 * for (const { message, fields } of log) logger.error(message, fields)
 * for (const line of lines) process.stderr.write(`${line}\n`)
 */
export function rulesFailure(error: RulesError): RulesFailure {
  const shown = error.problems.slice(0, MOST_LINES)
  const lines = shown.map((problem) => `Rules error: ${describeRulesProblem(problem)}`)
  const left = error.problems.length - shown.length
  if (left > 0) lines.push(`Rules error: and ${formatCount(left, 'more problem')}`)
  return { log: shown.filter(({ code }) => code === 'duplicate-rule').map(logEntry), lines }
}

/** A problem or a warning in one line: `<file>:<line>:<column>: <cre id>: <message>`. A duplicate has a fixed message. */
export function describeRulesProblem(problem: RulesProblem | RulesWarning): string {
  if ('code' in problem && problem.code === 'duplicate-rule') return problem.message
  const { file, line, column, creId, message } = problem
  const place = line > 0 ? `${file}:${line}:${column}` : file
  return [place, creId, message].filter((part) => part !== undefined && part !== '').join(': ')
}

/** The message already contains the CRE id. */
function logEntry({ file, line, column, message }: RulesProblem): RulesLogEntry {
  return { message, fields: { file, line, column } }
}

/** A rule package that a scan would use. */
export interface InstalledPackage {
  readonly name: 'Community rules' | 'Private rules'
  readonly version: string | undefined
  /** Its path, or `bundled rules`. */
  readonly path: string
}

/**
 * The packages that a scan would use: community rules, unless disabled, and the package of the organization, if there is one.
 *
 * @example
 * installedPackages(loaded, { disabled: false }) // [{ name: 'Community rules', version: '1.0.0', path: 'bundled rules' }]
 */
export function installedPackages(
  { folder, settings }: Session['loaded'],
  { disabled }: { readonly disabled: boolean },
): readonly InstalledPackage[] {
  const { rulesVersion, disableCommunityRules } = settings
  const packages: InstalledPackage[] = []
  if (!disabled && !disableCommunityRules) {
    const { file, version } = communityRules(folder, { rulesVersion })
    packages.push({ name: 'Community rules', version, path: file.name })
  }
  const [own] = findPackages(folder, 'private')
  if (own) packages.push({ name: 'Private rules', version: own.version, path: own.path })
  return packages
}
