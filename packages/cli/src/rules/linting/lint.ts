import type { Screen } from '../../console/screen.js'
import { formatCount } from '../../console/text/amounts.js'
import { createPaint, type Paint } from '../../console/text/paint.js'
import { sanitize } from '../../console/text/sanitize.js'
import { Failure } from '../../failure.js'
import { type RuleFile, readRuleFile, ruleDocumentsBelow, statOf } from '../loading/rule-files.js'
import type { RulesContext } from '../rules-verb.js'
import { excerptOf } from './excerpt.js'
import { type LintFinding, type LintResult, lintDocuments } from './lint-documents.js'

/** The parsed command line of `omen rules lint`. */
export interface LintCommand {
  /** Documents and folders; by default the current folder. */
  readonly operands: readonly string[]
  readonly json?: boolean
  /** Print no summary. */
  readonly quiet?: boolean
  /** Warnings make the exit code 1. */
  readonly strict?: boolean
}

/** Further findings are only in the JSON output. */
const MOST_SHOWN = 200

/**
 * Runs `omen rules lint [path…]`: prints the errors and warnings of rule documents, each with its position and source line. Returns
 * the exit code: 1 if there are errors, and with `strict` if there are warnings; otherwise 0. With `json`, prints a list of `{level, file, line, column,
 * cre_id?, message}`.
 *
 * @example
 * await lintRules({ operands: ['rules'] }, context)
 */
export async function lintRules(command: LintCommand, { out }: RulesContext): Promise<number> {
  const { operands, json = false, quiet = false, strict = false } = command
  const files = (operands.length > 0 ? operands : ['.']).flatMap(documentsToLint)
  const result = await lintDocuments(files)
  const { findings } = result
  const errors = findings.filter(({ level }) => level === 'error').length
  if (json) out.write(`${JSON.stringify(findings.map(findingView), null, 2)}\n`)
  else {
    const paint = createPaint(out.colours)
    for (const finding of findings.slice(0, MOST_SHOWN)) out.write(describeFinding(finding, result, out, paint))
    if (findings.length > MOST_SHOWN) out.write(`… and ${findings.length - MOST_SHOWN} more\n`)
    if (!quiet) out.write(`${summarize(files.length, result.rules, errors, findings.length - errors, paint)}\n`)
  }
  return errors > 0 || (strict && findings.length > 0) ? 1 : 0
}

/** A key at the start of a line, after a dash, or in JSON. */
const HAS_RULES = /(?:^|[{,-])[ \t]*["']?(?:rules|terms)["']?\s*:/m
const HAS_CRE = /(?:^|[{,-])[ \t]*["']?cre["']?\s*:/m

/**
 * A document that is named is always checked. In a folder, which may be a whole project, only files that look like rules are: a
 * Kubernetes role also has rules, but no CRE.
 */
function documentsToLint(path: string): RuleFile[] {
  if (!statOf(path).isDirectory()) return [readRuleFile(path)]
  const chosen = ruleDocumentsBelow(path)
    .map(readRuleFile)
    .filter(({ name, bytes }) => {
      if (/(?:^|[\\/])rule\.ya?ml$|\.gz$/i.test(name)) return true
      const text = Buffer.from(bytes).toString('latin1')
      return HAS_RULES.test(text) && HAS_CRE.test(text)
    })
  if (chosen.length > 0) return chosen
  throw new Failure('Rules', `${path}: no YAML file in this folder contains rules: create one with omen rules new <id>`)
}

/** A finding with the field names of the report. */
function findingView({ level, file, line, column, creId, message }: LintFinding) {
  return { level, file, line, column, cre_id: creId, message }
}

const LEVEL_STYLES = { error: 'bad', warning: 'warning' } as const

function describeFinding(finding: LintFinding, { documents }: LintResult, screen: Screen, paint: Paint): string {
  const { level, file, line, column, creId, message } = finding
  const place = line > 0 ? `${file}:${line}:${column}` : file
  const about = creId === undefined ? '' : ` ${paint('dim', `(${sanitize(creId)})`)}`
  const head = `${paint('bold', sanitize(place))}: ${paint(LEVEL_STYLES[level], level)}: ${sanitize(message)}${about}\n`
  const excerpt = excerptOf(documents.get(file)?.text ?? '', line, column, screen.columns)
  if (excerpt === undefined) return head
  const [number, empty] = excerpt.margin.map((text) => paint('dim', text))
  return `${head}${number}${excerpt.source}\n${empty}${paint(LEVEL_STYLES[level], excerpt.caret)}\n`
}

function summarize(documents: number, rules: number, errors: number, warnings: number, paint: Paint): string {
  const counted = `${formatCount(documents, 'document')} with ${formatCount(rules, 'rule')}: `
  if (errors + warnings === 0) return counted + paint('good', 'no errors or warnings')
  const found = [
    ...(errors > 0 ? [paint('bad', formatCount(errors, 'error'))] : []),
    ...(warnings > 0 ? [paint('warning', formatCount(warnings, 'warning'))] : []),
  ]
  return counted + found.join(', ')
}
