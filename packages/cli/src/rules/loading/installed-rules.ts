import type { RulesError, RulesProblem, RulesWarning } from '@omen/engine'
import { Failure } from '../../failure.js'
import type { Session } from '../../session.js'
import { communityRules } from './community-rules.js'
import { findPackages } from './packages.js'
import { type RuleFile, readRuleFile, readRuleFiles } from './rule-files.js'

/** Which rules are asked for. */
export interface RulesRequest {
  /** `-d`: do not run the community rules. */
  readonly disabled: boolean
  /** What `config.yaml` says about rules. */
  readonly settings: {
    readonly rulesPaths: readonly string[]
    readonly disableCommunityRules: boolean
    readonly rulesVersion?: string | undefined
  }
  /** The paths given with `-r`. */
  readonly rules: readonly string[]
  /** The configuration directory, where a newer package may lie. */
  readonly folder?: string | undefined
  /** Told of what the user should know but what stops nothing. */
  readonly warn?: (message: string) => void
  /** Reads the rules that come with the tool. */
  readonly bundled?: () => RuleFile
}

/**
 * Reads the rule documents that a run uses, in load order: community, the organization's package, `rules.paths`, `-r`. Throws
 * a `Failure` for a path that cannot be read, and when no rules are left.
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
  // Rules of the organization itself are no community rules: as those of rules.paths, they run with -d too.
  const [ownPackage] = folder === undefined ? [] : findPackages(folder, 'private')
  if (ownPackage) files.push(readRuleFile(ownPackage.path))
  for (const path of [...settings.rulesPaths, ...rules]) files.push(...readRuleFiles(path))
  if (files.length > 0) return files
  const way = disabled ? 'leave out -d' : 'remove rules.disableCommunityRules from config.yaml'
  throw new Failure('Rules', 'no rules to run', { hint: `Name a rule document with -r, or ${way}.` })
}

/** An error for the log, with what a machine may want to read from it. */
export interface RulesLogEntry {
  readonly message: string
  readonly fields: Readonly<Record<string, string | number>>
}

/** What is said when rule documents cannot be used. */
export interface RulesFailure {
  /** First, one entry for each repeated identifier, for the log at level `error`. */
  readonly log: readonly RulesLogEntry[]
  /** Then these lines, for standard error. */
  readonly lines: readonly string[]
}

/** More lines than this are of no use to anyone who reads them. */
const MOST_LINES = 100

/**
 * Puts the problems of rule documents into words.
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
  if (left > 0) lines.push(`Rules error: and ${left} more problems`)
  return { log: shown.filter(({ code }) => code === 'duplicate-rule').map(logEntry), lines }
}

/** A problem or a warning in one line: `<file>:<line>:<column>: <cre id>: <message>`. A duplicate is told in the agreed words alone. */
export function describeRulesProblem(problem: RulesProblem | RulesWarning): string {
  if ('code' in problem && problem.code === 'duplicate-rule') return problem.message
  const { file, line, column, creId, message } = problem
  const place = line > 0 ? `${file}:${line}:${column}` : file
  return [place, creId, message].filter((part) => part !== undefined && part !== '').join(': ')
}

/** The message names the CRE already. */
function logEntry({ file, line, column, message }: RulesProblem): RulesLogEntry {
  return { message, fields: { file, line, column } }
}

/** A package of rules that a scan would use. */
export interface InstalledPackage {
  readonly name: 'Community rules' | 'Private rules'
  readonly version: string | undefined
  /** Where it lies, or that it comes with the tool. */
  readonly path: string
}

/**
 * The packages that a scan would use: the community's, unless they are left out, and the organization's, where there is one.
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
