import { compileRecurse, follows, iterate, notAPath } from '../compile/access.js'
import { eachPath, modify } from '../compile/assign.js'
import { type Code, computedPath, computing, type Emit, type Frame } from '../compile/code.js'
import { allocate, HEADER_BYTES, SLOT_BYTES, spend } from '../evaluation.js'
import { index } from '../values/access.js'
import { deletePaths, extend, getPath, type Path, pathToArray, rootPath, setPath } from '../values/paths.js'
import { isArray, isObject, isTruthy, JqError, keysOf, type Value } from '../values/value.js'
import type { FormTable } from './index.js'

/** Builtins about paths in a value. */
export const PATH_FORMS: FormTable = {
  'path/1': ([target]) => ({
    each: (input, path, frame, emit) => eachPath(target!, input, frame, (found) => emit(found, path)),
  }),
  'paths/0': () => paths(null),
  'paths/1': ([condition]) => paths(condition!),
  'getpath/1': ([path]) => getting(path!),
  'setpath/2': ([path, value]) => ({
    each: (input, at, frame, emit) =>
      value!.each(input, null, frame, (v) =>
        path!.each(input, null, frame, (p) => {
          const result = setPath(input, p, v)
          return emit(result, computedPath(at, result))
        }),
      ),
  }),
  'delpaths/1': ([paths]) => ({
    each: (input, at, frame, emit) =>
      paths!.each(input, null, frame, (list) => {
        const result = deletePaths(input, list)
        return emit(result, computedPath(at, result))
      }),
  }),
  'del/1': ([target]) =>
    computing((input, frame) => {
      const found: Value[] = []
      eachPath(target!, input, frame, (path) => {
        found.push(path)
        return true
      })
      return deletePaths(input, found)
    }),
  'map_values/1': ([change]) => computing((input, frame) => modify(EVERYTHING, change!, input, frame)),
  'pick/1': ([target]) =>
    computing((input, frame) => {
      let result: Value = null
      eachPath(target!, input, frame, (path) => {
        result = setPath(result, path, getPath(input, path))
        return true
      })
      return result
    }),
  'tostream/0': () => ({ each: (input, path, _, emit) => stream(input, [], (event) => emit(event, path)) }),
}

const EVERYTHING: Code = { each: (input, path, _, emit) => iterate(input, path, false, emit) }

/** The paths of everything within the input for which the condition holds. */
function paths(condition: Code | null): Code {
  const { each } = compileRecurse()
  return {
    each: (input, path, frame, emit) =>
      each(input, rootPath(input), frame, (value, at) => {
        if (condition === null) return at!.length === 0 || emit(pathToArray(at!), path)
        return condition.each(value, null, frame, (test) => {
          return at!.length === 0 || !isTruthy(test) || emit(pathToArray(at!), path)
        })
      }),
  }
}

function getting(path: Code): Code {
  const each: Code['each'] = (input, at, frame, emit) =>
    path.each(input, null, frame, (keys) =>
      at === null ? emit(getPath(input, keys), null) : walkTo(input, at, keys, emit),
    )
  const { one } = path
  if (one === undefined) return { each }
  return {
    each,
    one: (input: Value, frame: Frame | null) => {
      const keys = one(input, frame)
      return keys === undefined ? undefined : getPath(input, keys)
    },
  }
}

/** Follows the keys one by one. */
function walkTo(input: Value, start: Path, keys: Value, emit: Emit): boolean {
  if (!isArray(keys)) throw new JqError('Path must be specified as an array')
  if (!follows(start, input)) throw notAPath(input)
  let value = input
  let path = start
  for (const key of keys) {
    spend(1)
    value = index(value, key)
    path = extend(path, key, value)
  }
  return emit(value, path)
}

/** The events of `tostream`: every leaf with its path, and the path of the last item where an array or object ends. */
function stream(value: Value, path: readonly Value[], emit: (event: Value) => boolean): boolean {
  spend(path.length + 1)
  allocate(2 * HEADER_BYTES + (path.length + 2) * SLOT_BYTES)
  const container = isArray(value) || isObject(value)
  const keys = isArray(value) ? [...value.keys()] : isObject(value) ? keysOf(value) : []
  if (!container || keys.length === 0) return emit([path, value])
  for (const key of keys) {
    if (!stream(index(value, key), [...path, key], emit)) return false
  }
  return emit([[...path, keys[keys.length - 1]!]])
}
