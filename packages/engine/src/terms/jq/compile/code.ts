import { extend, type Path } from '../values/paths.js'
import type { Value } from '../values/value.js'

/** Variables, arguments and labels of the running calls, innermost first. Every binding makes a new frame. */
export interface Frame {
  readonly up: Frame | null
  /** The value of a variable. Set once, while a pattern is matched. */
  value: Value
  /** An argument: a filter and the frame in which it was written. */
  readonly closure: Closure | null
}

export interface Closure {
  readonly code: Code
  readonly frame: Frame | null
}

/** Gets one output. Returns whether more are wanted. */
export type Emit = (value: Value, path: Path | null) => boolean

/** Calls `emit` with every output until it returns false, and returns false in that case. `path` is null unless paths are tracked. */
export type Each = (input: Value, path: Path | null, frame: Frame | null, emit: Emit) => boolean

/** The only output; `undefined` if there is none. */
export type One = (input: Value, frame: Frame | null) => Value | undefined

/** A compiled filter. `one` exists if it cannot have more than one output; it does not track paths. */
export interface Code {
  readonly each: Each
  readonly one?: One
  /** The output, if it is the same for every input. */
  readonly constant?: Value
}

/** The `one` of `.`, which other filters skip when it is their target. */
export const sameValue: One = (input) => input

// No filter outputs this value, so a path with it is not valid.
const NOWHERE: Value = []

/** The path of a value that was computed. It stays the path of the input, so that an unchanged value keeps its path. */
export function computedPath(path: Path | null, value: Value): Path | null {
  if (path === null || (typeof value !== 'number' && typeof value !== 'string')) return path
  return path.value === NOWHERE ? path : { ...path, value: NOWHERE }
}

/** Code for a filter that computes at most one value. */
export function computing(one: One): Code {
  return {
    one,
    each: (input, path, frame, emit) => {
      const value = one(input, frame)
      return value === undefined || emit(value, computedPath(path, value))
    },
  }
}

/** Code that computes something of every output of `code`. */
export function mapping(code: Code, map: (value: Value) => Value): Code {
  const { one } = code
  if (one !== undefined) {
    return computing((input, frame) => {
      const value = one(input, frame)
      return value === undefined ? undefined : map(value)
    })
  }
  return {
    each: (input, path, frame, emit) =>
      code.each(input, null, frame, (value) => {
        const result = map(value)
        return emit(result, computedPath(path, result))
      }),
  }
}

/** Code for a filter that outputs its input or nothing, such as `select`. */
export function passing(test: (input: Value, frame: Frame | null) => boolean): Code {
  return {
    one: (input, frame) => (test(input, frame) ? input : undefined),
    each: (input, path, frame, emit) => !test(input, frame) || emit(input, path),
  }
}

export function constantCode(value: Value): Code {
  return { ...computing(() => value), constant: value }
}

/** Calls `then` with every combination of the outputs of `codes`; the last of them is the outermost loop. */
export function combine(
  codes: readonly Code[],
  input: Value,
  frame: Frame | null,
  then: (values: readonly Value[]) => boolean,
): boolean {
  const values: Value[] = new Array(codes.length)
  const fill = (at: number): boolean => {
    if (at < 0) return then(values)
    return codes[at]!.each(input, null, frame, (value) => {
      values[at] = value
      return fill(at - 1)
    })
  }
  return fill(codes.length - 1)
}

export function child(path: Path | null, key: Value, value: Value): Path | null {
  return path === null ? null : extend(path, key, value)
}
