import { compileCondition, findFlaw } from '../terms/compile.js'
import { type Condition, TermError } from '../terms/condition.js'
import { offsetWithin } from './document/position.js'
import type { ProblemCode } from './error.js'
import type { ConditionKey, ConditionPool, WrittenCondition } from './pool.js'

const CODES = { literal: 'bad-literal', regex: 'bad-regex', jq: 'bad-jq' } as const satisfies Record<
  string,
  ProblemCode
>

const NAMES = { literal: 'literal', regex: 'regex', jq: 'jq filter' } as const

/** Compiles every written condition, reports the wrong ones, and returns the conditions of the rules. */
export async function compileConditions(pool: ConditionPool): Promise<Condition[]> {
  const outcomes = new Map<string, Condition | TermError>()
  const outcome = async ({ kind, text }: ConditionKey): Promise<Condition | TermError> => {
    const name = `${kind}:${text}`
    const known = outcomes.get(name) ?? (await attempt({ kind, text }))
    outcomes.set(name, known)
    return known
  }
  for (const written of pool.written) {
    const result = await outcome({ kind: written.kind, text: written.node.text })
    if (result instanceof TermError) report(written, result)
    else {
      warnAboutLineEnd(written)
      await adviseAuthor(written)
    }
  }
  const conditions: Condition[] = []
  for (const key of pool.keys) {
    const result = await outcome(key)
    if (!(result instanceof TermError)) conditions.push(result)
  }
  return conditions
}

async function attempt({ kind, text }: ConditionKey): Promise<Condition | TermError> {
  try {
    return await compileCondition(kind, text)
  } catch (error) {
    if (error instanceof TermError) return error
    throw error
  }
}

function report(written: WrittenCondition, error: TermError): void {
  const { at, message } = place(written, error)
  written.diagnostics.problem(CODES[written.kind], at, message)
}

async function adviseAuthor(written: WrittenCondition): Promise<void> {
  const flaw = await findFlaw(written.kind, written.node.text)
  if (flaw === undefined) return
  const { at, message } = place(written, flaw)
  written.diagnostics.lint(at, message)
}

/** The offset in the file of what an error is about, and its message. */
function place({ kind, node, file }: WrittenCondition, { message, offset }: TermError) {
  const at = offsetWithin(file, node, offset)
  const where = at === undefined ? ` (at character ${offset + 1} of the ${NAMES[kind]})` : ''
  return { at: at ?? node.start, message: `${NAMES[kind]}: ${message}${where}` }
}

/** An entry never ends in a line feed, so a literal or regex from a block such as `value: |` could never be met. */
function warnAboutLineEnd({ kind, node, diagnostics }: WrittenCondition): void {
  const isBlock = node.style === 'literal' || node.style === 'folded'
  if (kind === 'jq' || !isBlock || !node.text.endsWith('\n')) return
  const indicator = node.style === 'literal' ? '|' : '>'
  diagnostics.warn(
    node.start,
    `the ${NAMES[kind]} ends in a line feed, which no entry does: write ${indicator}- instead of ${indicator}`,
  )
}
