import type { Code } from '../compile/code.js'
import { type Definition, define, type Scope } from '../compile/scope.js'
import type { NodeOf } from '../parse/ast.js'
import { parseJq } from '../parse/parse.js'
import type { Value } from '../values/value.js'
import { ARRAY_FUNCTIONS } from './arrays.js'
import { CORE_FUNCTIONS } from './core.js'
import { DATE_FUNCTIONS } from './dates.js'
import { DEFINITIONS } from './definitions.js'
import { GENERATOR_FORMS } from './generators.js'
import { LOOP_FORMS } from './loops.js'
import { MATH_FUNCTIONS } from './math.js'
import { ORDERING_FORMS } from './ordering.js'
import { PATH_FORMS } from './path-forms.js'
import { REGEX_FORMS } from './regexes.js'
import { STRING_FUNCTIONS } from './strings.js'

/** A function of its input and of the outputs of its arguments. */
export type ValueFunction = (input: Value, ...args: readonly Value[]) => Value

/** Functions by `name/arity`. */
export type FunctionTable = Readonly<Record<string, ValueFunction>>

/** A builtin that decides how often its arguments run, and on which input. */
export type Form = (args: readonly Code[], node: NodeOf<'call'>, scope: Scope | null) => Code

export type FormTable = Readonly<Record<string, Form>>

const FUNCTIONS: readonly FunctionTable[] = [
  CORE_FUNCTIONS,
  STRING_FUNCTIONS,
  ARRAY_FUNCTIONS,
  MATH_FUNCTIONS,
  DATE_FUNCTIONS,
  { 'builtins/0': () => builtinNames() },
]

const FORMS: readonly FormTable[] = [GENERATOR_FORMS, LOOP_FORMS, ORDERING_FORMS, PATH_FORMS, REGEX_FORMS]

type Builtin =
  | { readonly kind: 'function'; readonly call: ValueFunction }
  | { readonly kind: 'form'; readonly compile: Form }
  | { readonly kind: 'definition'; readonly definition: Definition }

let known: Map<string, Builtin | string> | undefined

/** All builtins by `name/arity`; those defined in jq are kept as source until their first use. */
function table(): Map<string, Builtin | string> {
  if (known !== undefined) return known
  known = new Map<string, Builtin | string>()
  for (const functions of FUNCTIONS) {
    for (const [name, call] of Object.entries(functions)) known.set(name, { kind: 'function', call })
  }
  for (const forms of FORMS) {
    for (const [name, compile] of Object.entries(forms)) known.set(name, { kind: 'form', compile })
  }
  for (const [name, text] of Object.entries(DEFINITIONS)) known.set(name, text)
  return known
}

export function findBuiltin(name: string, arity: number): Builtin | undefined {
  const key = `${name}/${arity}`
  const found = table().get(key)
  if (typeof found !== 'string') return found
  const node = parseJq(`${found} .`) as NodeOf<'def'>
  const builtin: Builtin = { kind: 'definition', definition: define(null, node).definition! }
  table().set(key, builtin)
  return builtin
}

/** The names of all builtins, as `name/arity`. */
export function builtinNames(): string[] {
  return [...table().keys()].filter((name) => !name.startsWith('_'))
}
