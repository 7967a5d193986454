import { join } from 'node:path'
import { type CompiledRules, RulesError } from '@omen/engine'
import type { CommonOptions } from '../../command-line/command.js'
import { here } from '../../console/log.js'
import { Failure } from '../../failure.js'
import type { Session } from '../../session.js'
import { describeRulesProblem, ruleDocuments, rulesFailure } from './installed-rules.js'
import { loadRules } from './load-rules.js'
import type { RuleFile } from './rule-files.js'

/** The folder in which compiled rules are kept. */
export function cacheFolder({ loaded }: Pick<Session, 'loaded'>): string {
  return join(loaded.folder, 'cache')
}

/** Reads the rule documents that a command asks for. */
export function documentsFor(
  { disabled, rules }: Pick<CommonOptions, 'disabled' | 'rules'>,
  { loaded, warn }: Pick<Session, 'loaded' | 'warn'>,
): RuleFile[] {
  return ruleDocuments({ disabled, rules, settings: loaded.settings, folder: loaded.folder, warn })
}

/** Loads the rules of a run, and logs what is odd about them. */
export async function prepareRules(
  options: Pick<CommonOptions, 'disabled' | 'rules'>,
  session: Session,
): Promise<CompiledRules> {
  const { log } = session
  const files = documentsFor(options, session)
  const rules = await loadRules(files, cacheFolder(session))
  log.info(here(), 'rules loaded', { rules: rules.rules.length, documents: files.length, version: rules.version })
  for (const warning of rules.warnings) log.warn(here(), describeRulesProblem(warning))
  return rules
}

/**
 * Turns what is wrong with rule documents into a failure. Of a repeated identifier the agreed words do not say where it stands,
 * so the log does, first. Any other error stays as it is.
 */
export function explainRulesError(error: unknown, { log }: Pick<Session, 'log'>): unknown {
  if (!(error instanceof RulesError)) return error
  const { log: entries, lines } = rulesFailure(error)
  for (const { message, fields } of entries) log.error(here(), message, fields)
  return new Failure('Rules', lines.map((line) => line.replace(/^Rules error: /, '')).join('\n'), { cause: error })
}
