/** Every code that a problem can have, with its meaning. The codes are stable: programs may depend on them. */
export const PROBLEM_CODES = {
  'too-large': 'the document, or what it unpacks to, is larger than 64 MiB',
  'broken-gzip': 'the document is gzip-compressed and cannot be unpacked',
  'not-text': 'the document is not UTF-8 text',
  yaml: 'the document is not YAML',
  'too-deep': 'the document is nested too deeply',
  'too-complex': 'the document has too many parts, or its aliases repeat too much',
  'duplicate-key': 'a key occurs twice in one map',
  'bad-alias': 'an alias names no anchor before it, or the node that contains it',
  'bad-merge': 'a merge key `<<` has something other than maps',
  'bad-tag': 'a YAML tag that rule documents do not use, or that its value does not fit',
  'empty-document': 'the file has no content',
  'no-rules': 'a document has no rules',
  'bad-section': 'the package footer is malformed',
  missing: 'something required is absent',
  'wrong-type': 'a value is of another type than the key needs',
  'unknown-key': 'a key that does not exist here',
  unsupported: 'a part of the rule language that this engine recognises and does not support',
  'bad-cre-id': 'cre.id has other characters than letters, digits and hyphens, or is too short',
  'bad-severity': 'cre.severity is not a whole number from 0 to 4',
  'bad-rule-id': 'metadata.id or metadata.hash is not a base58 string of at least 12 characters',
  'no-conditions': 'a set has no match, or a sequence no order',
  'too-few-conditions': 'a sequence with fewer than two conditions',
  'too-many-conditions': 'more than 64 distinct positive conditions',
  'bad-duration': 'a duration that cannot be read',
  'window-missing': 'several conditions without a window',
  'window-not-allowed': 'a set of one condition with a window',
  'window-not-positive': 'a window that is zero or negative',
  'condition-missing': 'a term without a condition',
  'condition-conflict': 'a term with more than one condition',
  'empty-condition': 'an empty literal, regex or filter',
  'bad-literal': 'a literal that no entry can contain',
  'bad-regex': 'a regular expression that cannot be used',
  'bad-jq': 'a jq filter that cannot be used',
  'bad-count': 'count is not a whole number from 1 to 100,000',
  'bad-extract': 'an extract entry without a proper name, or without exactly one of regex and jq',
  'negate-only': 'an option of negate entries on a positive term',
  'negate-count': 'count above 1 in a negate entry',
  'negate-extract': 'extract in a negate entry',
  'bad-anchor': 'anchor is not the number of a positive condition',
  'duplicate-term': 'a term is defined twice in one file',
  'term-cycle': 'terms that refer to each other in a circle',
  'duplicate-rule': 'a CRE id, rule id or rule hash that an earlier rule has',
  'cache-broken': 'the compiled form is damaged',
  'cache-version': 'the compiled form is of another version of the engine',
} as const

export type ProblemCode = keyof typeof PROBLEM_CODES

/** A problem of a document. `line` and `column` count from 1; both are 0 where there is no document. */
export interface RulesProblem {
  readonly code: ProblemCode
  readonly file: string
  readonly line: number
  readonly column: number
  readonly creId?: string
  readonly message: string
}

/** More lines than this help no reader. */
const LINES_SHOWN = 100

/**
 * Raised when rule documents cannot be used. It carries every problem of every document; its own fields are those of
 * the first one, and its message has one line for each.
 *
 * ```ts
 * try {
 *   await compileRules([{ name: 'kafka.yaml', text }])
 * } catch (error) {
 *   if (error instanceof RulesError) for (const { line, message } of error.problems) console.error(line, message)
 * }
 * ```
 */
export class RulesError extends Error {
  override readonly name = 'RulesError'
  readonly code: ProblemCode
  readonly file: string
  readonly line: number
  readonly column: number
  declare readonly creId?: string
  readonly problems: readonly RulesProblem[]

  constructor(problems: readonly [RulesProblem, ...RulesProblem[]]) {
    super(describe(problems))
    const [first] = problems
    this.code = first.code
    this.file = first.file
    this.line = first.line
    this.column = first.column
    if (first.creId !== undefined) this.creId = first.creId
    this.problems = problems
  }
}

function describe(problems: readonly RulesProblem[]): string {
  const lines = problems.slice(0, LINES_SHOWN).map(describeProblem)
  if (problems.length > LINES_SHOWN) lines.push(`and ${problems.length - LINES_SHOWN} more problems`)
  return lines.join('\n')
}

function describeProblem({ file, line, column, creId, message }: RulesProblem): string {
  const place = line > 0 ? [`${file}:${line}:${column}`] : []
  return [...place, ...(creId === undefined ? [] : [creId]), message].join(': ')
}
