import { allocate, HEADER_BYTES, SLOT_BYTES, spend } from '../evaluation.js'
import { index, withKey, withoutKeys } from './access.js'
import { compareCounted } from './compare.js'
import { isArray, JqError, typeName, type Value } from './value.js'

/**
 * How a value was reached while paths are followed: the key in the value above. `value` is the value there; an
 * expression that makes a new value passes on the path of its input, which is detected because the values differ.
 */
export interface Path {
  readonly up: Path | null
  readonly key: Value
  readonly value: Value
  readonly length: number
}

/** The path of the value where the following of paths begins. */
export function rootPath(value: Value): Path {
  return { up: null, key: null, value, length: 0 }
}

export function extend(up: Path, key: Value, value: Value): Path {
  allocate(HEADER_BYTES + SLOT_BYTES)
  return { up, key, value, length: up.length + 1 }
}

export function pathToArray(path: Path): Value[] {
  spend(path.length)
  allocate(HEADER_BYTES + path.length * SLOT_BYTES)
  const keys: Value[] = new Array(path.length)
  for (let at: Path = path; at.up !== null; at = at.up) keys[at.length - 1] = at.key
  return keys
}

function readPath(path: Value): readonly Value[] {
  if (!isArray(path)) throw new JqError('Path must be specified as an array')
  return path
}

export function getPath(value: Value, path: Value): Value {
  let at = value
  for (const key of readPath(path)) {
    spend(1)
    at = index(at, key)
  }
  return at
}

export function setPath(value: Value, path: Value, replacement: Value): Value {
  return update(value, readPath(path), () => replacement)
}

/** A copy of `value` in which `change` has been applied to the value at the path. */
export function update(value: Value, path: readonly Value[], change: (old: Value) => Value): Value {
  spend(path.length + 1)
  const parents: Value[] = []
  let at = value
  for (const key of path) {
    parents.push(at)
    at = index(at, key)
  }
  let result = change(at)
  for (let i = path.length - 1; i >= 0; i--) result = withKey(parents[i]!, path[i]!, result)
  return result
}

/** A copy of `value` without the values at these paths. */
export function deletePaths(value: Value, paths: Value): Value {
  if (!isArray(paths)) throw new JqError('Paths must be specified as an array')
  for (const path of paths) {
    if (!isArray(path)) throw new JqError(`Path must be specified as array, not ${typeName(path)}`)
  }
  spend(paths.length)
  const ordered = ([...paths] as (readonly Value[])[]).sort(compareCounted)
  return ordered[0]?.length === 0 ? null : deleteBelow(value, ordered, 0)
}

/** Deletes by sorted paths that agree in their first `depth` keys; the keys of one value are deleted together. */
function deleteBelow(value: Value, paths: readonly (readonly Value[])[], depth: number): Value {
  let result = value
  const gone: Value[] = []
  for (let start = 0; start < paths.length; ) {
    const path = paths[start]!
    const key = path[depth]!
    let end = start + 1
    while (end < paths.length && compareCounted(paths[end]![depth]!, key) === 0) end++
    if (path.length === depth + 1) {
      gone.push(key)
    } else if (result !== null) {
      const child = index(result, key)
      if (child !== null) result = withKey(result, key, deleteBelow(child, paths.slice(start, end), depth + 1))
    }
    start = end
  }
  return withoutKeys(result, gone)
}
