import { type CompiledRules, compileRules, RulesError, type RulesProblem, type RulesWarning } from '@omen/engine'
import { readWrittenRules, type WrittenDocument } from '../documents/written-rules.js'
import type { RuleFile } from '../loading/rule-files.js'
import { checkConditions, checkContradictions } from './check-conditions.js'
import { checkDescriptions, checkSurroundings } from './check-descriptions.js'

/** Something that is wrong or unwise in a rule document. Both numbers count from 1; 0 where there is no place. */
export interface LintRemark {
  readonly level: 'error' | 'warning'
  readonly file: string
  readonly line: number
  readonly column: number
  readonly creId?: string
  readonly message: string
}

/** A remark about a place in a text. */
export interface PlacedRemark {
  readonly at: number
  readonly creId?: string | undefined
  readonly message: string
}

/** What was found in rule documents. */
export interface LintResult {
  /** In the order of the documents, and of the places in them. */
  readonly remarks: readonly LintRemark[]
  /** How many rules the documents have. */
  readonly rules: number
  /** Each document by its name, to show excerpts of. */
  readonly documents: ReadonlyMap<string, WrittenDocument>
}

/** Of so many identifiers the first place is looked for: two copies of a catalogue repeat thousands. */
const MOST_TRACED = 200

/**
 * Finds everything that is wrong or unwise in rule documents. Each is judged on its own, so that one that is broken does
 * not hide what there is to say about the others; then all together, for identifiers that repeat.
 *
 * @example
 * const { remarks } = await lintDocuments(readRuleFiles('rules'))
 */
export async function lintDocuments(files: readonly RuleFile[]): Promise<LintResult> {
  const documents = new Map<string, WrittenDocument>()
  const remarks: LintRemark[] = []
  const usable: RuleFile[] = []
  let rules = 0
  for (const file of files) {
    const compiled = await attempt([file])
    const document = await readWrittenRules(file)
    if (document) documents.set(file.name, document)
    rules += document?.rules.length ?? 0
    const found = compiled instanceof RulesError ? compiled.problems.map(asError) : remarksIn(compiled)
    if (!(compiled instanceof RulesError)) usable.push(file)
    if (document) found.push(...(await ownRemarks(document, compiled instanceof RulesError ? undefined : compiled)))
    remarks.push(...found.sort(byPlace))
  }
  const together = usable.length > 1 ? await attempt(usable) : undefined
  if (together instanceof RulesError) {
    together.problems.forEach((problem, index) => {
      remarks.push(index < MOST_TRACED ? asRepeat(problem, documents.values()) : asError(problem))
    })
  }
  return { remarks, rules, documents }
}

async function attempt(files: readonly RuleFile[]): Promise<CompiledRules | RulesError> {
  try {
    return await compileRules(files)
  } catch (error) {
    if (error instanceof RulesError) return error
    throw error
  }
}

function remarksIn({ warnings, lint = [] }: CompiledRules): LintRemark[] {
  return [...warnings, ...lint].map(asWarning)
}

function asError({ code: _, ...problem }: RulesProblem): LintRemark {
  return { level: 'error', ...problem }
}

/** An identifier that repeats, with the place where it stands first. What is derived from a rule stands nowhere. */
function asRepeat(problem: RulesProblem, documents: Iterable<WrittenDocument>): LintRemark {
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

function asWarning(warning: RulesWarning): LintRemark {
  return { level: 'warning', ...warning }
}

async function ownRemarks(document: WrittenDocument, compiled: CompiledRules | undefined): Promise<LintRemark[]> {
  const placed: PlacedRemark[] = [
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

function byPlace(a: LintRemark, b: LintRemark): number {
  return a.line - b.line || a.column - b.column
}
