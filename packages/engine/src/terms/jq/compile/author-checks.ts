import { TermError } from '../../condition.js'
import type { NodeOf } from '../parse/ast.js'
import { isFormat } from '../values/formats.js'
import { isGuarded, type Scope } from './scope.js'

// Checks for the author of a rule: jq accepts these filters, but no author means what they do.

/** The outermost scope of a filter that is checked for its author. */
export const FOR_AUTHOR: Scope = { up: null, kind: 'author', name: '', depth: 0 }

/** Whether a scope belongs to a filter that is checked for its author. The body of a builtin does not. */
export function isForAuthor(scope: Scope | null): boolean {
  for (let at = scope; at !== null; at = at.up) if (at.kind === 'author') return true
  return false
}

/** Builtins that need a program around the filter, with what they do in a rule. */
const WITHOUT_PROGRAM: Readonly<Record<string, string>> = {
  'input/0': 'is always an error: a rule sees one entry at a time',
  'inputs/0': 'is always empty: a rule sees one entry at a time',
  'env/0': 'is always empty: a rule does not depend on the environment',
  'input_filename/0': 'is always null: use event.source to select the data',
  'input_line_number/0': 'is always 0: the report has the line of each hit',
  'modulemeta/0': 'is always an error: a filter cannot use modules',
}

/** Throws a `TermError` for a builtin that is of no use in a rule. */
export function checkBuiltin(node: NodeOf<'call'>, scope: Scope | null): void {
  if (!isForAuthor(scope)) return
  const name = `${node.name}/${node.args.length}`
  const flaw = Object.hasOwn(WITHOUT_PROGRAM, name) ? WITHOUT_PROGRAM[name] : undefined
  if (flaw !== undefined) throw new TermError('jq-function', `${node.name} ${flaw}`, node.at)
}

/** Throws a `TermError` for a format such as `@bas64` that does not exist, unless the filter catches the error. */
export function checkFormat(name: string, at: number, scope: Scope | null): void {
  if (!isForAuthor(scope) || isFormat(name) || isGuarded(scope)) return
  throw new TermError('jq-format', `the format @${name} does not exist: the filter ends in an error here`, at)
}

/** The environment is empty in a rule. */
export function checkEnvironment(node: NodeOf<'variable'>, scope: Scope | null): void {
  if (!isForAuthor(scope)) return
  throw new TermError('jq-variable', '$ENV is always empty: a rule does not depend on the environment', node.at)
}

/** Runs the check of a function that the filter never calls, which jq does not check. */
export function checkUncalled({ name, params }: NodeOf<'def'>, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof TermError)) throw error
    const { code, message, offset } = error
    throw new TermError(code, `${message} (${name}/${params.length} is never called)`, offset)
  }
}
