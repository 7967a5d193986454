import type { Screen } from '../../console/screen.js'
import { createPaint, type Paint } from '../../console/text/paint.js'
import { sanitize } from '../../console/text/sanitize.js'
import { Failure } from '../../failure.js'
import { type RuleFile, readRuleFile, ruleDocumentsBelow, statOf } from '../loading/rule-files.js'
import type { RulesContext } from '../rules-verb.js'
import { excerptOf } from './excerpt.js'
import { type LintRemark, type LintResult, lintDocuments } from './lint-documents.js'

/** What `omen rules lint` is asked. */
export interface LintCommand {
  /** Documents and folders of them; the current folder where none is given. */
  readonly operands: readonly string[]
  readonly json?: boolean
  /** Say nothing where there is nothing to remark. */
  readonly quiet?: boolean
}

/** Nobody reads more; JSON has them all. */
const MOST_SHOWN = 200

/**
 * `omen rules lint [path…]`: everything that is wrong or unwise in rule documents, each with its place and the line. Returns
 * the exit code: 1 when there are errors, 0 when there are only warnings. With `json` it prints a list of `{level, file,
 * line, column, cre_id?, message}`.
 *
 * @example
 * await lintRules({ operands: ['rules'] }, context)
 */
export async function lintRules(command: LintCommand, { out }: RulesContext): Promise<number> {
  const { operands, json = false, quiet = false } = command
  const files = (operands.length > 0 ? operands : ['.']).flatMap(documentsToLint)
  const result = await lintDocuments(files)
  const { remarks } = result
  const errors = remarks.filter(({ level }) => level === 'error').length
  if (json) out.write(`${JSON.stringify(remarks.map(remarkView), null, 2)}\n`)
  else {
    const paint = createPaint(out.colours)
    for (const remark of remarks.slice(0, MOST_SHOWN)) out.write(describeRemark(remark, result, out, paint))
    if (remarks.length > MOST_SHOWN) out.write(`… and ${remarks.length - MOST_SHOWN} more\n`)
    if (!quiet) out.write(`${summarize(files.length, result.rules, errors, remarks.length - errors, paint)}\n`)
  }
  return errors > 0 ? 1 : 0
}

/** A key at the start of a line, behind a dash, or in JSON. */
const HAS_RULES = /(?:^|[{,-])[ \t]*["']?(?:rules|terms)["']?\s*:/m
const HAS_CRE = /(?:^|[{,-])[ \t]*["']?cre["']?\s*:/m

/**
 * A document that is named is judged in any case. Of a folder, which may be a whole project, only what looks like rules: a
 * Kubernetes role has some, too, but no CRE.
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
  throw new Failure('Rules', `${path}: no YAML file here has rules: omen rules new <id> writes some to start from`)
}

/** With the names that the report has. */
function remarkView({ level, file, line, column, creId, message }: LintRemark) {
  return { level, file, line, column, cre_id: creId, message }
}

const LEVEL_STYLES = { error: 'bad', warning: 'warning' } as const

function describeRemark(remark: LintRemark, { documents }: LintResult, screen: Screen, paint: Paint): string {
  const { level, file, line, column, creId, message } = remark
  const place = line > 0 ? `${file}:${line}:${column}` : file
  const about = creId === undefined ? '' : ` ${paint('dim', `(${sanitize(creId)})`)}`
  const head = `${paint('bold', sanitize(place))}: ${paint(LEVEL_STYLES[level], level)}: ${sanitize(message)}${about}\n`
  const excerpt = excerptOf(documents.get(file)?.text ?? '', line, column, screen.columns)
  if (excerpt === undefined) return head
  const [number, blank] = excerpt.margin.map((text) => paint('dim', text))
  return `${head}${number}${excerpt.source}\n${blank}${paint(LEVEL_STYLES[level], excerpt.caret)}\n`
}

function summarize(documents: number, rules: number, errors: number, warnings: number, paint: Paint): string {
  const counted = `${count(documents, 'document')} with ${count(rules, 'rule')}: `
  if (errors + warnings === 0) return counted + paint('good', 'nothing to remark')
  const found = [
    ...(errors > 0 ? [paint('bad', count(errors, 'error'))] : []),
    ...(warnings > 0 ? [paint('warning', count(warnings, 'warning'))] : []),
  ]
  return counted + found.join(', ')
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
