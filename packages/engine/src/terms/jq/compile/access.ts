import { spend } from '../evaluation.js'
import type { NodeOf } from '../parse/ast.js'
import { field, index, sliceKey, valuesOf } from '../values/access.js'
import { describe } from '../values/arithmetic.js'
import { excerpt } from '../values/json-text.js'
import type { Path } from '../values/paths.js'
import { Decimal, isArray, JqError, type JqObject, keysOf, plainKey, storedKey, type Value } from '../values/value.js'
import { type Code, child, constantCode, type Each, type Emit, type One, sameValue } from './code.js'
import type { Compile, Scope } from './scope.js'

/** Thrown when a path is needed of a value that was computed. */
function leadsNowhere(attempt: string, input: Value): JqError {
  return new JqError(`Invalid path expression near attempt to ${attempt} ${excerptOfResult(input)}`)
}

/** The start of a value in messages about paths, which show more of it. */
function excerptOfResult(value: Value): string {
  return excerpt(value, 29)
}

/** Whether a path leads to the value that is about to be accessed. */
export function follows(path: Path, input: Value): boolean {
  return path.value === input || (Number.isNaN(path.value) && Number.isNaN(input))
}

export function notAPath(value: Value): JqError {
  return new JqError(`Invalid path expression with result ${excerptOfResult(value)}`)
}

/** Looks up a key. With `optional`, an error gives no output. */
function accessor(optional: boolean): (target: Value, key: Value) => Value | undefined {
  if (!optional) return index
  return (target, key) => {
    try {
      return index(target, key)
    } catch (error) {
      if (error instanceof JqError) return undefined
      throw error
    }
  }
}

export function compileIndex(node: NodeOf<'index'>, scope: Scope | null, compile: Compile): Code {
  const target = compile(node.target, scope)
  const key = compile(node.key, scope)
  const access = accessor(node.optional)
  if (typeof key.constant === 'string') return compileField(target, key.constant, node.optional)
  const each: Each = (input, path, frame, emit) =>
    key.each(input, null, frame, (k) =>
      target.each(input, path, frame, (value, at) => step(access, value, at, k, emit)),
    )
  const { one: keyOne } = key
  const { one: targetOne } = target
  if (keyOne === undefined || targetOne === undefined) return { each }
  return {
    each,
    one: (input, frame) => {
      const k = keyOne(input, frame)
      if (k === undefined) return undefined
      const value = targetOne(input, frame)
      return value === undefined ? undefined : access(value, k)
    },
  }
}

function step(
  access: (target: Value, key: Value) => Value | undefined,
  value: Value,
  path: Path | null,
  key: Value,
  emit: Emit,
): boolean {
  if (path !== null && !follows(path, value)) throw leadsNowhere(`access element ${excerpt(key)} of`, value)
  const found = access(value, key)
  return found === undefined || emit(found, child(path, key, found))
}

/** `.name`, the most common of all filters. */
function compileField(target: Code, name: string, optional: boolean): Code {
  const stored = storedKey(name)
  const access = (value: Value): Value | undefined => {
    if (typeof value === 'object' && value !== null && !isArray(value) && !(value instanceof Decimal)) {
      return (value as JqObject)[stored] ?? null
    }
    return optional && value !== null ? undefined : field(value, name)
  }
  const each: Each = (input, path, frame, emit) =>
    target.each(input, path, frame, (value, at) => step(access, value, at, name, emit))
  const { one } = target
  if (one === undefined) return { each }
  if (one === sameValue) return { each, one: access }
  const compiled: One = (input, frame) => {
    const value = one(input, frame)
    return value === undefined ? undefined : access(value)
  }
  return { each, one: compiled }
}

export function compileSlice(node: NodeOf<'slice'>, scope: Scope | null, compile: Compile): Code {
  const target = compile(node.target, scope)
  const from = node.from === null ? constantCode(null) : compile(node.from, scope)
  const to = node.to === null ? constantCode(null) : compile(node.to, scope)
  const access = accessor(node.optional)
  const each: Each = (input, path, frame, emit) =>
    from.each(input, null, frame, (start) =>
      to.each(input, null, frame, (end) =>
        target.each(input, path, frame, (value, at) => step(access, value, at, sliceKey(start, end), emit)),
      ),
    )
  if (from.one === undefined || to.one === undefined || target.one === undefined) return { each }
  const ones = [from.one, to.one, target.one] as const
  return {
    each,
    one: (input, frame) => {
      const start = ones[0](input, frame)
      const end = ones[1](input, frame)
      const value = ones[2](input, frame)
      if (start === undefined || end === undefined || value === undefined) return undefined
      return access(value, sliceKey(start, end))
    },
  }
}

export function compileIterate(node: NodeOf<'iterate'>, scope: Scope | null, compile: Compile): Code {
  const target = compile(node.target, scope)
  const { optional } = node
  return {
    each: (input, path, frame, emit) =>
      target.each(input, path, frame, (value, at) => {
        if (at !== null && !follows(at, value)) throw leadsNowhere('iterate through', value)
        return iterate(value, at, optional, emit)
      }),
  }
}

/** Outputs the elements of an array or the values of an object. */
export function iterate(value: Value, path: Path | null, optional: boolean, emit: Emit): boolean {
  if (isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      spend(1)
      if (!emit(value[i]!, child(path, i, value[i]!))) return false
    }
    return true
  }
  if (value === null || typeof value !== 'object' || value instanceof Decimal) {
    if (optional) return true
    throw new JqError(`Cannot iterate over ${describe(value)}`)
  }
  for (const key of Object.keys(value)) {
    spend(1)
    const item = (value as JqObject)[key]!
    if (!emit(item, path === null ? null : child(path, plainKey(key), item))) return false
  }
  return true
}

/** `..`: the value, then everything in it, from the outside in and from the left to the right. */
export function compileRecurse(): Code {
  return {
    each: (input, path, _, emit) => {
      if (path === null) return recurseValues(input, emit)
      if (!follows(path, input)) return emit(input, path)
      return recursePaths(input, path, emit)
    },
  }
}

/** Without the JavaScript stack, because a value may be nested more deeply than that allows. */
function recurseValues(input: Value, emit: Emit): boolean {
  const stack: Value[] = [input]
  while (stack.length > 0) {
    const value = stack.pop()!
    spend(1)
    if (!emit(value, null)) return false
    if (value !== null && typeof value === 'object' && !(value instanceof Decimal)) {
      const items = valuesOf(value)
      for (let i = items.length - 1; i >= 0; i--) stack.push(items[i]!)
    }
  }
  return true
}

function recursePaths(input: Value, start: Path, emit: Emit): boolean {
  const stack: { value: Value; path: Path }[] = [{ value: input, path: start }]
  while (stack.length > 0) {
    const { value, path } = stack.pop()!
    spend(1)
    if (!emit(value, path)) return false
    if (value === null || typeof value !== 'object' || value instanceof Decimal) continue
    const keys = isArray(value) ? [...value.keys()] : keysOf(value as JqObject)
    for (let i = keys.length - 1; i >= 0; i--) {
      const item = index(value, keys[i]!)
      stack.push({ value: item, path: child(path, keys[i]!, item)! })
    }
  }
  return true
}
