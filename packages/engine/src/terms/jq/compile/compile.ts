import { TermError } from '../../condition.js'
import type { JqNode, NodeOf } from '../parse/ast.js'
import { negate, OPERATIONS } from '../values/arithmetic.js'
import { compileIndex, compileIterate, compileRecurse, compileSlice } from './access.js'
import { compileAssign } from './assign.js'
import { checkEnvironment, checkUncalled, isForAuthor } from './author-checks.js'
import { compileBind, compileBreak, compileForeach, compileLabel, compileReduce } from './binding.js'
import { compileCall, compileDefinition } from './call.js'
import { type Code, combine, computedPath, computing, constantCode, mapping, sameValue } from './code.js'
import { compileComparison } from './compare.js'
import { compileArray, compileFormat, compileObject, compileString } from './construct.js'
import {
  compileAlternative,
  compileAnd,
  compileComma,
  compileIf,
  compileOr,
  compilePipe,
  compileTry,
} from './control.js'
import { type Compile, define, resolve, type Scope } from './scope.js'

function compileVariable(node: NodeOf<'variable'>, scope: Scope | null): Code {
  const hops = resolve(scope, 'variable', node.name)
  if (hops === undefined) {
    if (node.name === 'ENV') {
      checkEnvironment(node, scope)
      return constantCode({})
    }
    throw new TermError('jq-variable', `the variable $${node.name} does not exist`, node.at)
  }
  return computing((_, frame) => {
    let at = frame!
    for (let i = hops; i > 0; i--) at = at.up!
    return at.value
  })
}

function compileNegate(node: NodeOf<'negate'>, scope: Scope | null): Code {
  const body = compile(node.body, scope)
  if (typeof body.constant === 'number') return constantCode(-body.constant)
  return mapping(body, negate)
}

function compileBinary(node: NodeOf<'binary'>, scope: Scope | null): Code {
  const left = compile(node.left, scope)
  const right = compile(node.right, scope)
  const operation = OPERATIONS[node.operator]
  const special = compileComparison(node.operator, left, right)
  if (special !== undefined) return special
  const each: Code['each'] = (input, path, frame, emit) =>
    combine([left, right], input, frame, (values) => {
      const value = operation(values[0]!, values[1]!)
      return emit(value, computedPath(path, value))
    })
  const { one: first } = left
  const { one: second } = right
  if (first === undefined || second === undefined) return { each }
  return computing((input, frame) => {
    const b = second(input, frame)
    if (b === undefined) return undefined
    const a = first(input, frame)
    return a === undefined ? undefined : operation(a, b)
  })
}

function compileDef(node: NodeOf<'def'>, scope: Scope | null, _: Compile, last: boolean): Code {
  const inner = define(scope, node)
  const code = compile(node.rest, inner, last)
  const { definition } = inner
  if (definition!.code === undefined && isForAuthor(scope)) {
    checkUncalled(node, () => compileDefinition(definition!, compile))
  }
  return code
}

type Compiler<Type extends JqNode['type']> = (
  node: NodeOf<Type>,
  scope: Scope | null,
  compile: Compile,
  last: boolean,
) => Code

const COMPILERS: { readonly [Type in JqNode['type']]: Compiler<Type> } = {
  identity: () => ({ one: sameValue, each: (input, path, _, emit) => emit(input, path) }),
  recurse: compileRecurse,
  literal: (node) => constantCode(node.value),
  location: (node) => constantCode({ file: '<top-level>', line: node.line }),
  variable: compileVariable,
  format: compileFormat,
  string: compileString,
  index: compileIndex,
  slice: compileSlice,
  iterate: compileIterate,
  array: compileArray,
  object: compileObject,
  negate: compileNegate,
  pipe: compilePipe,
  comma: compileComma,
  and: compileAnd,
  or: compileOr,
  alternative: compileAlternative,
  binary: compileBinary,
  assign: compileAssign,
  if: compileIf,
  try: compileTry,
  bind: compileBind,
  reduce: compileReduce,
  foreach: compileForeach,
  label: compileLabel,
  break: compileBreak,
  def: compileDef,
  call: compileCall,
}

/** Turns a parsed filter into functions. Throws `TermError` for names that do not exist. */
export function compile(node: JqNode, scope: Scope | null, last = false): Code {
  const compiler = COMPILERS[node.type] as Compiler<JqNode['type']>
  return compiler(node, scope, compile, last)
}
