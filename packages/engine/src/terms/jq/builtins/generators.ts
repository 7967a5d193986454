import { iterate } from '../compile/access.js'
import { firstOf } from '../compile/assign.js'
import { type Code, computing, type Each, type Emit, passing } from '../compile/code.js'
import { collectCounted } from '../compile/construct.js'
import { allocate, Halt, HEADER_BYTES, SLOT_BYTES, spend } from '../evaluation.js'
import { describe } from '../values/arithmetic.js'
import { equals } from '../values/compare.js'
import { isTruthy, JqError, type TypeName, toDouble, typeName, type Value } from '../values/value.js'
import { sum } from './core.js'
import type { Form, FormTable } from './index.js'

const NONE: Code = { one: () => undefined, each: () => true }

const byType = (...types: TypeName[]): Form => {
  const wanted = new Set(types)
  return () => passing((input) => wanted.has(typeName(input)))
}

/** Builtins with any number of outputs, or that decide which of their arguments run. */
export const GENERATOR_FORMS: FormTable = {
  'empty/0': () => NONE,
  'error/0': () => computing((input) => raise(input)),
  'error/1': ([message]) => mapEach(message!, raise),
  'halt/0': () => computing(() => halt(false)),
  'halt_error/0': () => computing(() => halt(true)),
  'halt_error/1': ([code]) => mapEach(code!, () => halt(true)),
  'debug/1': ([messages]) => ({
    each: (input, path, frame, emit) => {
      messages!.each(input, null, frame, () => true)
      return emit(input, path)
    },
  }),
  'select/1': ([condition]) => select(condition!),
  'values/0': () => passing((input) => input !== null),
  'nulls/0': byType('null'),
  'booleans/0': byType('boolean'),
  'numbers/0': byType('number'),
  'strings/0': byType('string'),
  'arrays/0': byType('array'),
  'objects/0': byType('object'),
  'iterables/0': byType('array', 'object'),
  'scalars/0': byType('null', 'boolean', 'number', 'string'),
  'map/1': ([body]) => map(body!),
  'add/1': ([body]) => computing((input, frame) => sum(collectCounted(body!, input, frame))),
  'first/1': ([body]) => first(body!),
  'last/1': ([body]) => last(body!),
  'limit/2': ([count, body]) => counted(count!, (n) => limit(n, body!)),
  'skip/2': ([count, body]) => counted(count!, (n) => skip(n, body!)),
  'nth/2': ([count, body]) => counted(count!, (n) => nth(n, body!)),
  'isempty/1': ([body]) => computing((input, frame) => firstOf(body!, input, frame) === undefined),
  'IN/1': ([values]) => among(values!),
  'any/0': () => quantifier(iterateInput, null, true),
  'all/0': () => quantifier(iterateInput, null, false),
  'any/1': ([condition]) => quantifier(iterateInput, condition!, true),
  'all/1': ([condition]) => quantifier(iterateInput, condition!, false),
  'any/2': ([source, condition]) => quantifier(source!.each, condition!, true),
  'all/2': ([source, condition]) => quantifier(source!.each, condition!, false),
}

function raise(value: Value): never {
  throw new JqError(value)
}

function halt(failed: boolean): never {
  throw new Halt(failed)
}

/** Runs a function on every output of an argument. */
function mapEach(code: Code, run: (value: Value) => never): Code {
  return { each: (input, _, frame) => code.each(input, null, frame, run) }
}

function select(condition: Code): Code {
  const { one } = condition
  if (one !== undefined) {
    return passing((input, frame) => {
      const value = one(input, frame)
      return value !== undefined && isTruthy(value)
    })
  }
  return {
    each: (input, path, frame, emit) =>
      condition.each(input, null, frame, (value) => !isTruthy(value) || emit(input, path)),
  }
}

function map(body: Code): Code {
  return computing((input, frame) => {
    allocate(HEADER_BYTES)
    const values: Value[] = []
    const push: Emit = (value) => {
      allocate(SLOT_BYTES)
      values.push(value)
      return true
    }
    iterate(input, null, false, (item) => body.each(item, null, frame, push))
    return values
  })
}

function first(body: Code): Code {
  if (body.one !== undefined) return body
  return {
    one: (input, frame) => firstOf(body, input, frame),
    each: (input, path, frame, emit) => limit(1, body)(input, path, frame, emit),
  }
}

/** Outputs null if the body has no output. */
function last(body: Code): Code {
  return {
    each: (input, path, frame, emit) => {
      let value: Value = null
      let at = path
      body.each(input, path, frame, (next, nextPath) => {
        value = next
        at = nextPath
        return true
      })
      return emit(value, at)
    },
  }
}

/** A form that runs for every number that its first argument outputs. */
function counted(count: Code, run: (n: number) => Each): Code {
  return {
    each: (input, path, frame, emit) =>
      count.each(input, null, frame, (value) => {
        const n = toDouble(value)
        if (n === undefined) throw new JqError(`${describe(value)} and ${describe(1)} cannot be subtracted`)
        return run(n)(input, path, frame, emit)
      }),
  }
}

function limit(n: number, body: Code): Each {
  if (n === 0) return () => true
  if (n < 0) return body.each
  return (input, path, frame, emit) => {
    let left = n
    let wanted = true
    const ended = body.each(input, path, frame, (value, at) => {
      left--
      wanted = emit(value, at)
      return wanted && left > 0
    })
    return ended || (wanted && left <= 0)
  }
}

function skip(n: number, body: Code): Each {
  if (n < 0) throw new JqError("skip doesn't support negative count")
  return (input, path, frame, emit) => {
    let left = n
    return body.each(input, path, frame, (value, at) => left-- > 0 || emit(value, at))
  }
}

function nth(n: number, body: Code): Each {
  if (n < 0) throw new JqError("nth doesn't support negative indices")
  return limit(1, { each: skip(Math.ceil(n), body) })
}

/** Whether the input is one of the outputs. */
function among(values: Code): Code {
  return computing((input, frame) => {
    let found = false
    values.each(input, null, frame, (value) => {
      spend(1)
      found = equals(value, input)
      return !found
    })
    return found
  })
}

const iterateInput: Each = (input, path, _, emit) => iterate(input, path, false, emit)

/** `any` and `all`: whether there is an item for which the condition is as `sought`. */
function quantifier(source: Each, condition: Code | null, sought: boolean): Code {
  const test = condition?.one
  return computing((input, frame) => {
    let found = false
    source(input, null, frame, (item) => {
      spend(1)
      if (condition === null) {
        found = isTruthy(item) === sought
      } else if (test !== undefined) {
        const value = test(item, frame)
        found = value !== undefined && isTruthy(value) === sought
      } else {
        condition.each(item, null, frame, (value) => {
          found = isTruthy(value) === sought
          return !found
        })
      }
      return !found
    })
    return found === sought
  })
}
