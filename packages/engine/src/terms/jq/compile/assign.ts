import { spend } from '../evaluation.js'
import type { AssignOperator, BinaryOperator, NodeOf } from '../parse/ast.js'
import { add, OPERATIONS } from '../values/arithmetic.js'
import { deletePaths, getPath, type Path, pathToArray, rootPath, setPath } from '../values/paths.js'
import { isTruthy, type Value } from '../values/value.js'
import { follows, notAPath } from './access.js'
import { type Code, computing, type Frame } from './code.js'
import type { Compile, Scope } from './scope.js'

/** Calls `then` with every path that `code` leads to. */
export function eachPath(code: Code, input: Value, frame: Frame | null, then: (path: Value[]) => boolean): boolean {
  return code.each(input, rootPath(input), frame, (value, path) => {
    spend(1)
    if (!follows(path as Path, value)) throw notAPath(value)
    return then(pathToArray(path as Path))
  })
}

export function compileAssign(node: NodeOf<'assign'>, scope: Scope | null, compile: Compile): Code {
  const target = compile(node.left, scope)
  const source = compile(node.right, scope)
  if (node.operator === '|') return computing((input, frame) => modify(target, source, input, frame))
  const change = CHANGES[node.operator]
  const assign = (input: Value, frame: Frame | null, operand: Value): Value => {
    let result = input
    eachPath(target, input, frame, (path) => {
      result = setPath(result, path, change === null ? operand : change(getPath(result, path), operand))
      return true
    })
    return result
  }
  const { one } = source
  if (one !== undefined) {
    return computing((input, frame) => {
      const operand = one(input, frame)
      return operand === undefined ? undefined : assign(input, frame, operand)
    })
  }
  return {
    each: (input, path, frame, emit) =>
      source.each(input, null, frame, (operand) => emit(assign(input, frame, operand), path)),
  }
}

const arithmetic = (operator: BinaryOperator) => OPERATIONS[operator]

/** What an assignment makes of the old value and the operand; null when the operand replaces it. */
const CHANGES: Readonly<Record<Exclude<AssignOperator, '|'>, ((old: Value, operand: Value) => Value) | null>> = {
  '': null,
  '//': (old, operand) => (isTruthy(old) ? old : operand),
  '+': add,
  '-': arithmetic('-'),
  '*': arithmetic('*'),
  '/': arithmetic('/'),
  '%': arithmetic('%'),
}

/** `|=`: every path gets the first output for its value; a path without an output is deleted at the end. */
export function modify(target: Code, change: Code, input: Value, frame: Frame | null): Value {
  let result = input
  const deleted: Value[] = []
  eachPath(target, input, frame, (path) => {
    const replacement = firstOf(change, getPath(result, path), frame)
    if (replacement === undefined) deleted.push(path)
    else result = setPath(result, path, replacement)
    return true
  })
  return deleted.length === 0 ? result : deletePaths(result, deleted)
}

/** The first output, `undefined` when there is none. */
export function firstOf(code: Code, input: Value, frame: Frame | null): Value | undefined {
  if (code.one !== undefined) return code.one(input, frame)
  let first: Value | undefined
  code.each(input, null, frame, (value) => {
    first = value
    return false
  })
  return first
}
