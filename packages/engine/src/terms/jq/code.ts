import { extend, type Path } from './paths.js'
import type { Value } from './value.js'

/** Variables, arguments and labels of the running calls, innermost first. A frame is made anew for every binding. */
export interface Frame {
  readonly up: Frame | null
  /** What a variable holds. Set once, while a pattern is taken apart. */
  value: Value
  /** An argument: a filter and the frame in which it was written. */
  readonly closure: Closure | null
}

export interface Closure {
  readonly code: Code
  readonly frame: Frame | null
}

/** Takes one output. Returns whether more are wanted. */
export type Emit = (value: Value, path: Path | null) => boolean

/** Hands every output to `emit`, until it wants no more; returns false then. `path` is null unless paths are followed. */
export type Each = (input: Value, path: Path | null, frame: Frame | null, emit: Emit) => boolean

/** The only output, `undefined` when there is none. */
export type One = (input: Value, frame: Frame | null) => Value | undefined

/** A compiled filter. `one` is there when it cannot have more than one output, and does not follow paths. */
export interface Code {
  readonly each: Each
  readonly one?: One
  /** The output, where it is the same for every input. */
  readonly constant?: Value
}

/** The `one` of `.`, which others leave out where it stands first. */
export const sameValue: One = (input) => input

// No value of a filter is this one, so a path that has it leads nowhere.
const NOWHERE: Value = []

/** The path of a value that was computed. It stays the one of the input, so that what is the same value keeps its path. */
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

/** Code for a filter that hands on its input or nothing, such as `select`. */
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
