import { join } from 'node:path'
import { type CompiledRules, RulesError } from '@omen/engine'
import type { CommonOptions } from '../../command-line/command.js'
import { here } from '../../console/log.js'
import { Failure } from '../../failure.js'
import type { Session } from '../../session.js'
import { describeRulesProblem, ruleDocuments, rulesFailure } from './installed-rules.js'
import { loadRules } from './load-rules.js'
import type { RuleFile } from './rule-files.js'

/** The folder of compiled rules. */
export function cacheFolder({ loaded }: Pick<Session, 'loaded'>): string {
  return join(loaded.folder, 'cache')
}

/** Reads the rule documents of a command. */
export function documentsFor(
  { disabled, rules }: Pick<CommonOptions, 'disabled' | 'rules'>,
  { loaded, warn }: Pick<Session, 'loaded' | 'warn'>,
): RuleFile[] {
  return ruleDocuments({ disabled, rules, settings: loaded.settings, folder: loaded.folder, warn })
}

/** Loads the rules of a run, and logs their warnings. */
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
 * Converts a `RulesError` to a failure. The fixed message about a duplicate identifier does not contain its position, so that is logged
 * first. Returns any other error unchanged.
 */
export function explainRulesError(error: unknown, { log }: Pick<Session, 'log'>): unknown {
  if (!(error instanceof RulesError)) return error
  const { log: entries, lines } = rulesFailure(error)
  for (const { message, fields } of entries) log.error(here(), message, fields)
  return new Failure('Rules', lines.map((line) => line.replace(/^Rules error: /, '')).join('\n'), { cause: error })
}
