import { nearest } from '../../../messages/nearest.js'
import { TermError } from '../../condition.js'
import type { JqNode, JqParam, NodeOf } from '../parse/ast.js'
import type { Code } from './code.js'

/** A name that a filter can use, and all names around it. `depth` counts the frames that exist where it is visible. */
export interface Scope {
  readonly up: Scope | null
  readonly depth: number
  readonly kind: 'variable' | 'parameter' | 'label' | 'function' | 'try' | 'author'
  readonly name: string
  readonly definition?: Definition
}

/** A function. It is compiled with the first call to it, because jq does not check functions that are not called. */
export interface Definition {
  readonly name: string
  readonly params: readonly JqParam[]
  readonly body: JqNode
  /** The names visible in the body, itself included. */
  scope: Scope | null
  code?: Code
  /** Set while the body is being compiled: a call that is found then is a recursive one. */
  compiling: boolean
}

/**
 * Compiles a node of any type. It is passed to the compiler of each type, which compiles inner nodes with it. `last` says
 * that the node is the last thing that a function does, so that a call in it can take the function's place.
 */
export type Compile = (node: JqNode, scope: Scope | null, last?: boolean) => Code

export function depthOf(scope: Scope | null): number {
  return scope === null ? 0 : scope.depth
}

/** A scope with one more name that takes a frame. */
export function declare(up: Scope | null, kind: 'variable' | 'parameter' | 'label', name: string): Scope {
  return { up, kind, name, depth: depthOf(up) + 1 }
}

/** A scope with one more function; functions take no frame. */
export function define(up: Scope | null, node: NodeOf<'def'>): Scope {
  const definition: Definition = {
    name: node.name,
    params: node.params,
    body: node.body,
    scope: null,
    compiling: false,
  }
  const scope: Scope = { up, kind: 'function', name: node.name, depth: depthOf(up), definition }
  definition.scope = scope
  return scope
}

/** A scope whose errors are caught. */
export function guard(up: Scope | null): Scope {
  return { up, kind: 'try', name: '', depth: depthOf(up) }
}

/** Whether an error thrown in a scope is caught within the same function. */
export function isGuarded(scope: Scope | null): boolean {
  for (let at = scope; at !== null; at = at.up) if (at.kind === 'try') return true
  return false
}

/** How many frames up a variable or label is, `undefined` when there is none of that name. */
export function resolve(scope: Scope | null, kind: 'variable' | 'label', name: string): number | undefined {
  for (let at = scope; at !== null; at = at.up) {
    if (at.kind === kind && at.name === name) return depthOf(scope) - at.depth
  }
  return undefined
}

/** The argument or function that a call means. */
export function resolveCall(scope: Scope | null, name: string, arity: number): Scope | undefined {
  for (let at = scope; at !== null; at = at.up) {
    if (at.name !== name) continue
    if (at.kind === 'parameter' && arity === 0) return at
    if (at.kind === 'function' && at.definition!.params.length === arity) return at
  }
  return undefined
}

/** The error for a function that does not exist. `known` are all builtins, as `name/arity`. */
export function unknownFunction(node: NodeOf<'call'>, scope: Scope | null, known: string[]): TermError {
  const wanted = `${node.name}/${node.args.length}`
  const names = [...known]
  for (let at = scope; at !== null; at = at.up) {
    if (at.kind === 'function') names.push(`${at.name}/${at.definition!.params.length}`)
    if (at.kind === 'parameter') names.push(`${at.name}/0`)
  }
  const others = names.filter((name) => name.startsWith(`${node.name}/`))
  const near = others.length > 0 ? others.join(' or ') : nearest(wanted, names)
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  return new TermError('jq-function', `the function ${wanted} does not exist${hint}`, node.at)
}
