import { builtinNames, findBuiltin } from '../builtins/index.js'
import { enter, leave, spend } from '../evaluation.js'
import type { JqNode, NodeOf } from '../parse/ast.js'
import type { Value } from '../values/value.js'
import { checkBuiltin } from './author-checks.js'
import { type Closure, type Code, combine, computedPath, type Each, type Emit, type Frame, type One } from './code.js'
import { type Compile, type Definition, declare, depthOf, resolveCall, type Scope, unknownFunction } from './scope.js'

export function compileCall(node: NodeOf<'call'>, scope: Scope | null, compile: Compile, last: boolean): Code {
  const found = resolveCall(scope, node.name, node.args.length)
  if (found?.kind === 'parameter') return callParameter(depthOf(scope) - found.depth)
  if (found !== undefined) return callDefinition(found.definition!, node.args, scope, compile, last)
  const builtin = findBuiltin(node.name, node.args.length)
  if (builtin === undefined) throw unknownFunction(node, scope, builtinNames())
  checkBuiltin(node, scope)
  if (builtin.kind === 'definition') return callDefinition(builtin.definition, node.args, scope, compile, last)
  const args = node.args.map((arg) => compile(arg, scope))
  return builtin.kind === 'form' ? builtin.compile(args, node, scope) : callFunction(builtin.call, args)
}

/** A call of an argument: it runs in the frame in which it was written. */
function callParameter(hops: number): Code {
  return {
    each: (input, path, frame, emit) => {
      let at = frame!
      for (let i = hops; i > 0; i--) at = at.up!
      const { code, frame: home } = at.closure as Closure
      enter()
      const wanted = code.each(input, path, home, emit)
      leave()
      return wanted
    },
  }
}

/** A call that the function that is about to return leaves to its caller, so that recursion need not go deeper. */
interface Continuation {
  readonly code: Code
  readonly input: Value
  readonly frame: Frame | null
  readonly emit: Emit
}

let continuation: Continuation | null = null

function callDefinition(
  definition: Definition,
  args: readonly JqNode[],
  scope: Scope | null,
  compile: Compile,
  last: boolean,
): Code {
  const isRecursive = definition.code !== undefined && definition.compiling
  const code = compileDefinition(definition, compile)
  const arguments_ = args.map((arg) => compile(arg, scope))
  const hops = depthOf(scope) - depthOf(definition.scope)
  const call = (frame: Frame | null): Frame | null => {
    let home = frame
    for (let i = hops; i > 0; i--) home = home!.up
    for (const argument of arguments_) home = { up: home, value: null, closure: { code: argument, frame } }
    return home
  }
  const each: Each = (input, path, frame, emit) => {
    enter()
    let wanted = code.each(input, path, call(frame), emit)
    while (continuation !== null) {
      const next: Continuation = continuation
      continuation = null
      spend(1)
      wanted = next.code.each(next.input, null, next.frame, next.emit)
    }
    leave()
    return wanted
  }
  if (last && isRecursive) {
    return {
      each: (input, path, frame, emit) => {
        // Where paths are followed, this is not the last thing to do.
        if (path !== null) return each(input, path, frame, emit)
        continuation = { code, input, frame: call(frame), emit }
        return true
      },
    }
  }
  const { one } = code
  if (one === undefined) return { each }
  return {
    each,
    one: (input, frame) => {
      enter()
      const value = one(input, call(frame))
      leave()
      return value
    },
  }
}

/** The code of a function. It is not known yet within its body, so a recursive call looks it up at run time. */
export function compileDefinition(definition: Definition, compile: Compile): Code {
  if (definition.code !== undefined) return definition.code
  const { params } = definition
  const scope = params.reduce<Scope | null>((up, { name }) => declare(up, 'parameter', name), definition.scope)
  let code: Code | undefined
  definition.code = { each: (input, path, frame, emit) => code!.each(input, path, frame, emit) }
  definition.compiling = true
  code = compile(withValues(definition), scope, true)
  definition.compiling = false
  definition.code = code
  return code
}

/** The body of a function, within the variables of its `$` parameters. */
function withValues({ params, body }: Definition): JqNode {
  return params.reduceRight<JqNode>((inner, { name, byValue }) => {
    if (!byValue) return inner
    const source: JqNode = { type: 'call', at: body.at, name, args: [] }
    return { type: 'bind', at: body.at, source, patterns: [{ type: 'name', name }], body: inner }
  }, body)
}

/** A call of a function of values: for every combination of its arguments' outputs. */
function callFunction(call: (input: Value, ...args: readonly Value[]) => Value, args: readonly Code[]): Code {
  const ones = args.flatMap(({ one }) => one ?? [])
  if (ones.length === args.length) {
    const one = callWithOnes(call, ones)
    return {
      one,
      each: (input, path, frame, emit) => {
        const value = one(input, frame)
        return value === undefined || emit(value, value === input ? path : computedPath(path, value))
      },
    }
  }
  return {
    each: (input, path, frame, emit) =>
      combine(args, input, frame, (values) => {
        const value = call(input, ...values)
        return emit(value, value === input ? path : computedPath(path, value))
      }),
  }
}

function callWithOnes(call: (input: Value, ...args: readonly Value[]) => Value, ones: readonly One[]): One {
  const [first, second] = ones
  if (first === undefined) return (input) => call(input)
  if (second === undefined) {
    return (input, frame) => {
      const value = first(input, frame)
      return value === undefined ? undefined : call(input, value)
    }
  }
  return (input, frame) => {
    const values: Value[] = new Array(ones.length)
    // The last argument is evaluated first.
    for (let i = ones.length - 1; i >= 0; i--) {
      const value = ones[i]!(input, frame)
      if (value === undefined) return undefined
      values[i] = value
    }
    return call(input, ...values)
  }
}
