import { type CompiledRules, type CreApplication, severityLabel } from '@omen/engine'
import type { Screen } from '../console/screen.js'
import { errorLine } from '../console/standard-error.js'
import { createPaint, type Paint, severityStyle } from '../console/text/paint.js'
import { sanitize } from '../console/text/sanitize.js'
import { visibleWidth } from '../console/text/width.js'
import { wrap } from '../console/text/wrap.js'
import { type CompiledRule, type DescribedCondition, describeDetection } from './describe-detection.js'
import { findRules, unknownRule } from './find-rules.js'
import { loadRules } from './loading/load-rules.js'
import type { RulesContext } from './rules-verb.js'

/** The parsed command line of `omen explain`. */
export interface ExplainCommand {
  readonly ids: readonly string[]
  /** Print the CRE records as in the report. */
  readonly json?: boolean
}

/** Longer lines are hard to read, even in a wide window. */
const WIDEST = 100

/** The Markdown fields of a record, in the order of the page. */
const PROSE = ['description', 'impact', 'cause', 'mitigation'] as const

/**
 * Runs `omen explain <id>…`: prints what a problem is, why it happens, what to do and how it is detected. Returns the exit code: 1
 * if an id is unknown. With `json`, prints a list of CRE records, like `cre` in the report.
 *
 * @example
 * await explain({ ids: ['CRE-2026-10001'] }, context)
 */
export async function explain({ ids, json = false }: ExplainCommand, context: RulesContext): Promise<number> {
  const { out, err, documents, cacheFolder } = context
  const rules = await loadRules(documents(), cacheFolder)
  const chosen = new Set<CompiledRule>()
  const unknown: string[] = []
  for (const id of ids) {
    const found = findRules(rules, id)
    for (const rule of found) chosen.add(rule)
    if (found.length === 0) unknown.push(id)
  }
  if (json)
    out.write(
      `${JSON.stringify(
        [...chosen].map(({ cre }) => cre),
        null,
        2,
      )}\n`,
    )
  else {
    const pages: string[] = []
    for (const rule of chosen) pages.push(await explainRule(rule, rules, out))
    out.write(pages.join('\n'))
  }
  for (const id of unknown) err.write(errorLine('Rules', unknownRule(rules, id)))
  return unknown.length > 0 ? 1 : 0
}

async function explainRule(rule: CompiledRule, { conditions }: CompiledRules, screen: Screen): Promise<string> {
  const { cre } = rule
  const paint = createPaint(screen.colours)
  const columns = Math.min(screen.columns, WIDEST)
  const severity = paint(severityStyle(cre.severity), severityLabel(cre.severity))
  const sections = [[`${paint('bold', sanitize(cre.id))}  ${severity}`]]
  if (cre.title !== undefined) sections[0]!.push(wrap(sanitize(cre.title), columns))
  sections.push(facts(rule, columns, paint))
  for (const field of PROSE) {
    const text = cre[field]
    if (text?.trim()) sections.push(await proseSection(field, text, columns, screen.colours))
  }
  sections.push([paint('heading', 'Detection'), ...detectionLines(rule, conditions, columns)])
  if (cre.references?.length) {
    sections.push([paint('heading', 'References'), ...cre.references.map((link) => `  ${sanitize(link)}`)])
  }
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

const LABEL_WIDTH = 14

function facts({ cre, source }: CompiledRule, columns: number, paint: Paint): string[] {
  const rows: (readonly [string, string | undefined])[] = [
    ['Category', cre.category],
    ['Tags', cre.tags?.join(', ')],
    ['Applications', cre.applications?.map(nameApplication).join(', ')],
    ['Data', source === '*' ? 'any' : source],
    ['Author', cre.author],
  ]
  const indent = ' '.repeat(LABEL_WIDTH)
  return rows.flatMap(([label, text]) => {
    if (!text) return []
    return [paint('dim', label.padEnd(LABEL_WIDTH)) + wrap(sanitize(text), columns, indent).slice(LABEL_WIDTH)]
  })
}

function nameApplication({ name, version }: CreApplication): string {
  return version === undefined ? name : `${name} ${version}`
}

async function proseSection(field: string, text: string, columns: number, colours: boolean): Promise<string[]> {
  const { renderMarkdown } = await import('../console/text/markdown.js')
  const heading = createPaint(colours)('heading', field.charAt(0).toUpperCase() + field.slice(1))
  const rendered = await renderMarkdown(text, { columns: columns - 2, colours })
  const lines = rendered.trimEnd().split('\n')
  return [heading, ...lines.map((line) => (line === '' ? '' : `  ${line}`))]
}

function detectionLines(rule: CompiledRule, conditions: CompiledRules['conditions'], columns: number): string[] {
  const { intro, conditions: parts, ordered, unless } = describeDetection(rule, conditions)
  const names = new Set(rule.terms.flatMap(({ extract }) => extract.map(({ name }) => name)))
  const mark = (index: number) => (intro === '' ? '' : ordered ? `  ${index + 1}. ` : '  - ')
  return [
    ...(intro === '' ? [] : [`  ${intro}`]),
    ...parts.flatMap((part, index) => conditionLines(part, mark(index), columns)),
    ...unless.flatMap((part) => conditionLines(part, '', columns)),
    ...(names.size > 0 ? [`  Extracts from the entries: ${[...names].join(', ')}`] : []),
  ]
}

/** One line if it fits; otherwise the pattern has its own line, unbroken, so that it can be copied. */
function conditionLines({ before, pattern, after }: DescribedCondition, mark: string, columns: number): string[] {
  const indent = ' '.repeat(2 + mark.length)
  const parts = [before, sanitize(pattern), after].filter((part) => part !== '')
  const line = `  ${mark}${parts.join(' ')}`
  if (visibleWidth(line) <= columns) return [line]
  return parts.map((part, index) => (index === 0 ? `  ${mark}${part}` : `${index === 1 ? '  ' : ''}${indent}${part}`))
}
