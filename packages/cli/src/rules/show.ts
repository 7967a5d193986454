import { type CompiledRules, type DocumentNode, formatDuration, scalarValue } from '@omen/engine'
import type { Screen } from '../console/screen.js'
import { errorLine } from '../console/standard-error.js'
import { createPaint } from '../console/text/paint.js'
import { sanitizeLines } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import type { CompiledRule } from './describe-detection.js'
import { blockAt } from './documents/source-block.js'
import {
  conditionOf,
  namedTerms,
  readWrittenRules,
  termsOf,
  type WrittenDocument,
  type WrittenRule,
} from './documents/written-rules.js'
import { findRules, unknownRule } from './find-rules.js'
import { loadRules } from './loading/load-rules.js'
import type { RulesContext } from './rules-verb.js'

/** The parsed command line of `omen rules show`. */
export interface ShowCommand {
  readonly operands: readonly string[]
  readonly json?: boolean
}

/** A compiled rule and its source. */
interface FoundRule {
  readonly rule: CompiledRule
  readonly document: WrittenDocument
  readonly written: WrittenRule
}

/**
 * Runs `omen rules show <id>…`: prints rules as written in their documents, with the terms that they use, as a new document. A
 * comment names the file and line. Returns the exit code: 1 if an id is unknown. With `json`, prints a list of compiled rules, each
 * with `file` and `line`.
 *
 * @example
 * await showRules({ operands: ['CRE-2026-10001'] }, context)
 */
export async function showRules({ operands, json = false }: ShowCommand, context: RulesContext): Promise<number> {
  if (operands.length === 0)
    throw new Failure('Usage', 'omen rules show needs the id of a rule: run omen rules list to see all')
  const { out, err, documents, cacheFolder } = context
  const files = documents()
  const rules = await loadRules(files, cacheFolder)
  const chosen = new Set(operands.flatMap((id) => findRules(rules, id)))
  const found: FoundRule[] = []
  for (const file of chosen.size > 0 ? files : []) {
    const document = await readWrittenRules(file)
    for (const written of document?.rules ?? []) {
      for (const rule of chosen) if (rule.cre.id === written.id) found.push({ rule, document: document!, written })
    }
  }
  if (json)
    out.write(
      `${JSON.stringify(
        found.map((one) => viewOf(one, rules)),
        null,
        2,
      )}\n`,
    )
  else out.write(found.map((one) => textOf(one, out)).join('---\n'))
  const unknown = operands.filter((id) => findRules(rules, id).length === 0)
  for (const id of unknown) err.write(errorLine('Rules', unknownRule(rules, id)))
  return unknown.length > 0 ? 1 : 0
}

function viewOf({ rule, document, written }: FoundRule, { conditions }: CompiledRules) {
  const { line } = document.locate(written.node.start)
  return { ...compiledView(rule, conditions), file: document.file, line }
}

/** Colours only keys and comments: text that is copied from the screen equals the file. */
function textOf({ document, written }: FoundRule, screen: Screen): string {
  const { text, file, locate } = document
  const { start } = written.node
  const { line, lines } = isBlockItem(text, start)
    ? blockAt(text, start)
    : { line: locate(start).line, lines: [`  - ${asJson(written.node)}`] }
  const terms = termsUsed(document, written)
  const whole = [`# ${file}:${line}`, ...(terms.length > 0 ? ['terms:', ...terms, ''] : []), 'rules:', ...lines]
  const shown = sanitizeLines(whole.join('\n'))
  return `${screen.colours ? colourYaml(shown) : shown}\n`
}

/** Whether an item or a key is the first in its line, which is not so in flow style, as in JSON. */
function isBlockItem(text: string, start: number): boolean {
  return /^[ ]*(- +)?$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))
}

/** The lines of the named terms that a rule uses, directly or indirectly. */
function termsUsed({ documents, text }: WrittenDocument, { node }: WrittenRule): string[] {
  const terms = new Map(documents.flatMap((document) => [...(namedTerms(document)?.entries ?? [])]))
  const used = new Set<string>()
  const waiting: DocumentNode[] = [...termsOf(node)]
  for (let term = waiting.pop(); term !== undefined; term = waiting.pop()) {
    const condition = conditionOf(term)
    const named = condition?.kind === 'literal' ? terms.get(condition.text) : undefined
    if (named === undefined || used.has(condition!.text)) continue
    used.add(condition!.text)
    waiting.push(named.value)
  }
  return [...terms].flatMap(([name, { start, value }]) => {
    if (!used.has(name)) return []
    return isBlockItem(text, start) ? blockAt(text, start).lines : [`  ${JSON.stringify(name)}: ${asJson(value)}`]
  })
}

function asJson(node: DocumentNode): string {
  return JSON.stringify(plainValue(node))
}

function plainValue(node: DocumentNode): unknown {
  if (node.kind === 'scalar') return scalarValue(node)
  if (node.kind === 'list') return node.items.map(plainValue)
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, plainValue(value)]))
}

function colourYaml(text: string): string {
  const paint = createPaint(true)
  return text.replace(/^(\s*(?:- )*)(#.*|[\w.-]+:(?=\s|$))/gm, (_, before: string, found: string) => {
    return before + paint(found.startsWith('#') ? 'dim' : 'code', found)
  })
}

/** A compiled rule as JSON: named terms are resolved, defaults are filled in, durations are written as in rules. */
function compiledView(rule: CompiledRule, conditions: CompiledRules['conditions']): Readonly<Record<string, unknown>> {
  const { cre, ruleId, ruleHash, source, kind, window, terms, negate } = rule
  const written = (index: number) => ({ kind: conditions[index]!.kind, text: conditions[index]!.text })
  return {
    id: cre.id,
    rule_id: ruleId,
    rule_hash: ruleHash,
    source,
    kind,
    ...(window > 0n && { window: formatDuration(window) }),
    conditions: terms.map(({ condition, count, extract }) => ({
      ...written(condition),
      count,
      ...(extract.length > 0 && { extract }),
    })),
    negate: negate.map((term) => ({
      ...written(term.condition),
      window: formatDuration(term.window),
      slide: formatDuration(term.slide),
      anchor: term.anchor,
      absolute: term.absolute,
    })),
    cre,
  }
}
