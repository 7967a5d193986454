import { type CompiledRules, compileRules, RulesError, type RulesProblem, type RulesWarning } from '@omen/engine'
import { readWrittenRules, type WrittenDocument } from '../documents/written-rules.js'
import type { RuleFile } from '../loading/rule-files.js'
import { checkConditions, checkContradictions } from './check-conditions.js'
import { checkDescriptions, checkSurroundings } from './check-descriptions.js'

/** An error or a warning about a rule document. Lines and columns count from 1; 0 if there is no position. */
export interface LintFinding {
  readonly level: 'error' | 'warning'
  readonly file: string
  readonly line: number
  readonly column: number
  readonly creId?: string
  readonly message: string
}

/** A warning at an offset of a text. */
export interface FindingAt {
  readonly at: number
  readonly creId?: string | undefined
  readonly message: string
}

/** The findings about rule documents. */
export interface LintResult {
  /** In the order of the documents, and of the positions in them. */
  readonly findings: readonly LintFinding[]
  /** The number of rules in the documents. */
  readonly rules: number
  /** The documents by name, for excerpts. */
  readonly documents: ReadonlyMap<string, WrittenDocument>
}

/** The first position is searched for only this many duplicates: two copies of a catalogue have thousands. */
const MOST_TRACED = 200

/**
 * Finds errors and warnings in rule documents. Each document is checked separately, so that a broken one does not hide findings in
 * others; then all together, for duplicate identifiers.
 *
 * @example
 * const { findings } = await lintDocuments(readRuleFiles('rules'))
 */
export async function lintDocuments(files: readonly RuleFile[]): Promise<LintResult> {
  const documents = new Map<string, WrittenDocument>()
  const findings: LintFinding[] = []
  const usable: RuleFile[] = []
  let rules = 0
  for (const file of files) {
    const compiled = await attempt([file])
    const document = await readWrittenRules(file)
    if (document) documents.set(file.name, document)
    rules += document?.rules.length ?? 0
    const found = compiled instanceof RulesError ? compiled.problems.map(asError) : warningsIn(compiled)
    if (!(compiled instanceof RulesError)) usable.push(file)
    if (document) found.push(...(await findingsIn(document, compiled instanceof RulesError ? undefined : compiled)))
    findings.push(...found.sort(byPosition))
  }
  const together = usable.length > 1 ? await attempt(usable) : undefined
  if (together instanceof RulesError) {
    together.problems.forEach((problem, index) => {
      findings.push(index < MOST_TRACED ? asDuplicate(problem, documents.values()) : asError(problem))
    })
  }
  return { findings, rules, documents }
}

async function attempt(files: readonly RuleFile[]): Promise<CompiledRules | RulesError> {
  try {
    return await compileRules(files)
  } catch (error) {
    if (error instanceof RulesError) return error
    throw error
  }
}

function warningsIn({ warnings, lint = [] }: CompiledRules): LintFinding[] {
  return [...warnings, ...lint].map(asWarning)
}

function asError({ code: _, ...problem }: RulesProblem): LintFinding {
  return { level: 'error', ...problem }
}

/** A duplicate identifier, with the position of the first one. A derived identifier has no position. */
function asDuplicate(problem: RulesProblem, documents: Iterable<WrittenDocument>): LintFinding {
  const { creId: _, ...error } = asError(problem)
  const value = / id=(\S+) cre=/.exec(problem.message)?.[1]
  for (const { file, text, locate } of documents) {
    const at = value === undefined ? -1 : text.indexOf(value)
    if (at === -1) continue
    const { line, column } = locate(at)
    const isElsewhere = file !== problem.file || line !== problem.line
    return isElsewhere ? { ...error, message: `${problem.message}: first in ${file}:${line}:${column}` } : error
  }
  return error
}

function asWarning(warning: RulesWarning): LintFinding {
  return { level: 'warning', ...warning }
}

async function findingsIn(document: WrittenDocument, compiled: CompiledRules | undefined): Promise<LintFinding[]> {
  const placed: FindingAt[] = [
    ...checkSurroundings(document),
    ...checkDescriptions(document),
    ...(await checkConditions(document, compiled)),
    ...(compiled ? checkContradictions(document, compiled) : []),
  ]
  return placed.map(({ at, creId, message }) => ({
    level: 'warning',
    file: document.file,
    ...document.locate(at),
    ...(creId !== undefined && { creId }),
    message,
  }))
}

function byPosition(a: LintFinding, b: LintFinding): number {
  return a.line - b.line || a.column - b.column
}
