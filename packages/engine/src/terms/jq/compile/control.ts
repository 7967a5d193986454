import { meter } from '../evaluation.js'
import type { NodeOf } from '../parse/ast.js'
import type { Path } from '../values/paths.js'
import { isTruthy, JqError, type Value } from '../values/value.js'
import { type Code, computedPath, computing, type Each, type Emit, type Frame, type One } from './code.js'
import { type Compile, guard, type Scope } from './scope.js'

export function compilePipe(node: NodeOf<'pipe'>, scope: Scope | null, compile: Compile, last: boolean): Code {
  const left = compile(node.left, scope)
  return pipe(left, compile(node.right, scope, last && left.one !== undefined))
}

function pipe(left: Code, right: Code): Code {
  const each: Each = (input, path, frame, emit) =>
    left.each(input, path, frame, (value, at) => right.each(value, at, frame, emit))
  const { one: first } = left
  const { one: second } = right
  if (first === undefined) return { each }
  // Without paths, the right side runs in place of the left one and not within it.
  const direct: Each = (input, path, frame, emit) => {
    if (path !== null) return each(input, path, frame, emit)
    const value = first(input, frame)
    return value === undefined || right.each(value, null, frame, emit)
  }
  if (second === undefined) return { each: direct }
  const one: One = (input, frame) => {
    const value = first(input, frame)
    return value === undefined ? undefined : second(value, frame)
  }
  return { each: direct, one }
}

export function compileComma(node: NodeOf<'comma'>, scope: Scope | null, compile: Compile, last: boolean): Code {
  const left = compile(node.left, scope).each
  const right = compile(node.right, scope, last).each
  return {
    each: (input, path, frame, emit) => left(input, path, frame, emit) && right(input, path, frame, emit),
  }
}

export function compileAnd(node: NodeOf<'and'>, scope: Scope | null, compile: Compile): Code {
  return shortCircuit(compile(node.left, scope), compile(node.right, scope), false)
}

export function compileOr(node: NodeOf<'or'>, scope: Scope | null, compile: Compile): Code {
  return shortCircuit(compile(node.left, scope), compile(node.right, scope), true)
}

/** `and` and `or`: `decided` is what the left side must be for the right one not to matter. */
function shortCircuit(left: Code, right: Code, decided: boolean): Code {
  const { one: first } = left
  const { one: second } = right
  if (first !== undefined && second !== undefined) {
    return computing((input, frame) => {
      const a = first(input, frame)
      if (a === undefined) return undefined
      if (isTruthy(a) === decided) return decided
      const b = second(input, frame)
      return b === undefined ? undefined : isTruthy(b)
    })
  }
  return {
    each: (input, path, frame, emit) =>
      left.each(input, null, frame, (a) => {
        if (isTruthy(a) === decided) return emit(decided, path)
        return right.each(input, null, frame, (b) => emit(isTruthy(b), path))
      }),
  }
}

/** `//`: the outputs of the left side that are neither null nor false, or else those of the right. */
export function compileAlternative(
  node: NodeOf<'alternative'>,
  scope: Scope | null,
  compile: Compile,
  last: boolean,
): Code {
  const left = compile(node.left, scope)
  const right = compile(node.right, scope, last)
  const each: Each = (input, path, frame, emit) => {
    let found = false
    const wanted = left.each(input, path, frame, (value, at) => {
      if (!isTruthy(value)) return true
      found = true
      return emit(value, at)
    })
    return found || !wanted ? wanted : right.each(input, path, frame, emit)
  }
  const { one: first } = left
  const { one: second } = right
  if (first === undefined || second === undefined) return { each }
  return {
    each,
    one: (input, frame) => {
      const value = first(input, frame)
      return value !== undefined && isTruthy(value) ? value : second(input, frame)
    },
  }
}

export function compileIf(node: NodeOf<'if'>, scope: Scope | null, compile: Compile, last: boolean): Code {
  const condition = compile(node.condition, scope)
  const inPlace = last && condition.one !== undefined
  const then = compile(node.then, scope, inPlace)
  const otherwise = compile(node.else ?? { type: 'identity', at: node.at }, scope, inPlace)
  return conditional(condition, then, otherwise)
}

function conditional(condition: Code, then: Code, otherwise: Code): Code {
  const { one: test } = condition
  const each: Each = (input, path, frame, emit) =>
    condition.each(input, null, frame, (value) => (isTruthy(value) ? then : otherwise).each(input, path, frame, emit))
  if (test === undefined) return { each }
  const direct: Each = (input, path, frame, emit) => {
    const value = test(input, frame)
    return value === undefined || (isTruthy(value) ? then : otherwise).each(input, path, frame, emit)
  }
  const { one: a } = then
  const { one: b } = otherwise
  if (a === undefined || b === undefined) return { each: direct }
  return {
    each: direct,
    one: (input, frame) => {
      const value = test(input, frame)
      return value === undefined ? undefined : (isTruthy(value) ? a : b)(input, frame)
    },
  }
}

export function compileTry(node: NodeOf<'try'>, scope: Scope | null, compile: Compile): Code {
  return trying(compile(node.body, guard(scope)), node.handler === null ? null : compile(node.handler, scope))
}

function trying(body: Code, handler: Code | null): Code {
  const each: Each = (input, path, frame, emit) => {
    const { depth } = meter
    // An error of the filter that consumes the outputs passes through here, but is not an error of the body.
    let outside = false
    const guarded: Emit = (value, at) => {
      outside = true
      const wanted = emit(value, at)
      outside = false
      return wanted
    }
    try {
      return body.each(input, path, frame, guarded)
    } catch (error) {
      if (outside || !(error instanceof JqError)) throw error
      meter.depth = depth
      return handler === null || handle(handler, error.value, path, frame, emit)
    }
  }
  const { one } = body
  const handling = handler === null ? NOTHING : handler.one
  if (one === undefined || handling === undefined) return { each }
  return {
    each,
    one: (input, frame) => {
      const { depth } = meter
      try {
        return one(input, frame)
      } catch (error) {
        if (!(error instanceof JqError)) throw error
        meter.depth = depth
        return handling(error.value, frame)
      }
    },
  }
}

const NOTHING: One = () => undefined

function handle(handler: Code, message: Value, path: Path | null, frame: Frame | null, emit: Emit): boolean {
  return handler.each(message, computedPath(path, message), frame, emit)
}
