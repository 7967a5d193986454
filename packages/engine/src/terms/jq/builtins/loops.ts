import { compileRecurse, iterate } from '../compile/access.js'
import type { Code, Each, Emit, Frame } from '../compile/code.js'
import { enter, leave, spend } from '../evaluation.js'
import { index } from '../values/access.js'
import { charge, describe } from '../values/arithmetic.js'
import { compare } from '../values/compare.js'
import type { Path } from '../values/paths.js'
import { isTruthy, JqError, toDouble, type Value } from '../values/value.js'
import { lengthOf } from './core.js'
import type { FormTable } from './index.js'

/** Builtins that run again on their outputs. */
export const LOOP_FORMS: FormTable = {
  'range/1': ([upto]) => range([upto!]),
  'range/2': range,
  'range/3': range,
  'recurse/0': () => compileRecurse(),
  'recurse/1': ([step]) => repeatedly(step!),
  'recurse/2': ([step, condition]) => recurseWhile(step!, condition!),
  'while/2': ([condition, update]) => ({ each: whileLoop(condition!, update!) }),
  'until/2': ([condition, next]) => ({ each: untilLoop(condition!, next!) }),
  'combinations/0': () => ({ each: (input, path, _, emit) => combinations(input, [], (made) => emit(made, path)) }),
  'repeat/1': ([body]) => ({ each: (input, path, frame, emit) => forever(body!, input, path, frame, emit) }),
}

function range(args: readonly Code[]): Code {
  const [from, upto, by] = args.length === 1 ? [undefined, args[0]] : args
  const each: Each = (input, _, frame, emit) => {
    const count = (start: Value) =>
      upto!.each(input, null, frame, (end) => {
        if (by === undefined) return countUp(start, end, emit)
        return by.each(input, null, frame, (step) => countBy(start, end, step, emit))
      })
    return from === undefined ? count(0) : from.each(input, null, frame, count)
  }
  return {
    each: (input, path, frame, emit) => {
      if (path === null) return each(input, null, frame, emit)
      return each(input, null, frame, (value) => emit(value, { ...path, value: null }))
    },
  }
}

function countUp(start: Value, end: Value, emit: Emit): boolean {
  const from = toDouble(start)
  const upto = toDouble(end)
  if (from === undefined || upto === undefined) throw new JqError('Range bounds must be numeric')
  for (let i = from; i < upto; i++) {
    spend(1)
    if (!emit(i, null)) return false
  }
  return true
}

/** The bounds can be any values to which the step can be added. */
function countBy(start: Value, end: Value, step: Value, emit: Emit): boolean {
  const direction = compare(step, 0)
  if (direction === 0) return true
  const by = toDouble(step)
  for (let i = start; direction > 0 ? compare(i, end) < 0 : compare(i, end) > 0; ) {
    spend(1)
    if (!emit(i, null)) return false
    const value = toDouble(i)
    if (value === undefined || by === undefined)
      throw new JqError(`${describe(i)} and ${describe(step)} cannot be added`)
    i = value + by
  }
  return true
}

/** `recurse(step)`: the input, then the same for every output of the step. */
function repeatedly(step: Code): Code {
  const { one } = step
  return {
    each: (input, path, frame, emit) => {
      if (one === undefined || path !== null) return descend(step, null, input, path, frame, emit)
      for (let value: Value | undefined = input; value !== undefined; value = one(value, frame)) {
        spend(1)
        if (!emit(value, null)) return false
      }
      return true
    },
  }
}

function recurseWhile(step: Code, condition: Code): Code {
  return { each: (input, path, frame, emit) => descend(step, condition, input, path, frame, emit) }
}

function descend(
  step: Code,
  condition: Code | null,
  input: Value,
  path: Path | null,
  frame: Frame | null,
  emit: Emit,
): boolean {
  if (!emit(input, path)) return false
  enter()
  const wanted = step.each(input, path, frame, (value, at) => {
    if (condition === null) return descend(step, null, value, at, frame, emit)
    return condition.each(
      value,
      null,
      frame,
      (test) => !isTruthy(test) || descend(step, condition, value, at, frame, emit),
    )
  })
  leave()
  return wanted
}

/** If both have at most one output, this is a loop; otherwise every round is one call deeper. */
function whileLoop(condition: Code, update: Code): Each {
  const each: Each = (input, path, frame, emit) => {
    if (condition.one !== undefined && update.one !== undefined && path === null) {
      for (let value: Value | undefined = input; value !== undefined; value = update.one(value, frame)) {
        spend(1)
        const test = condition.one(value, frame)
        if (test === undefined || !isTruthy(test)) return true
        if (!emit(value, null)) return false
      }
      return true
    }
    enter()
    const wanted = condition.each(input, null, frame, (test) => {
      if (!isTruthy(test)) return true
      return emit(input, path) && update.each(input, path, frame, (value, at) => each(value, at, frame, emit))
    })
    leave()
    return wanted
  }
  return each
}

function untilLoop(condition: Code, next: Code): Each {
  const each: Each = (input, path, frame, emit) => {
    if (condition.one !== undefined && next.one !== undefined && path === null) {
      for (let value: Value | undefined = input; value !== undefined; value = next.one(value, frame)) {
        spend(1)
        const test = condition.one(value, frame)
        if (test === undefined) return true
        if (isTruthy(test)) return emit(value, null)
      }
      return true
    }
    enter()
    const wanted = condition.each(input, null, frame, (test) => {
      if (isTruthy(test)) return emit(input, path)
      return next.each(input, path, frame, (value, at) => each(value, at, frame, emit))
    })
    leave()
    return wanted
  }
  return each
}

/** `repeat`: the outputs for the same input, endlessly. */
function forever(body: Code, input: Value, path: Path | null, frame: Frame | null, emit: Emit): boolean {
  for (;;) {
    spend(1)
    if (!body.each(input, path, frame, emit)) return false
  }
}

/** Every way to take one element of each array in turn, the first of them changing least often. */
function combinations(input: Value, taken: readonly Value[], emit: (made: readonly Value[]) => boolean): boolean {
  if (taken.length >= lengthOf(input)) return emit(taken)
  enter()
  const wanted = iterate(index(input, taken.length), null, false, (item) => {
    charge(taken.length + 1)
    return combinations(input, [...taken, item], emit)
  })
  leave()
  return wanted
}
