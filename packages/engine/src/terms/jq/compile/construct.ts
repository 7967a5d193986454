import { TermError } from '../../condition.js'
import { allocate, HEADER_BYTES, SLOT_BYTES } from '../evaluation.js'
import type { JqNode, NodeOf } from '../parse/ast.js'
import { field } from '../values/access.js'
import { concat, describe } from '../values/arithmetic.js'
import { format } from '../values/formats.js'
import { JqError, type ObjectDraft, storedKey, type Value } from '../values/value.js'
import { checkFormat } from './author-checks.js'
import { type Code, combine, computedPath, computing, constantCode, type Each, mapping, type One } from './code.js'
import type { Compile, Scope } from './scope.js'

export function compileFormat(node: NodeOf<'format'>, scope: Scope | null): Code {
  checkFormat(node.name, node.at, scope)
  return computing((input) => format(node.name, input))
}

/** A string with `\( … )` in it. */
export function compileString(node: NodeOf<'string'>, scope: Scope | null, compile: Compile): Code {
  checkFormat(node.format, node.at, scope)
  const parts = node.parts
    .filter((part) => part !== '')
    .map((part) => {
      if (typeof part === 'string') return constantCode(part)
      return mapping(compile(part, scope), (value) => format(node.format, value))
    })
  const ones = parts.flatMap(({ one }) => one ?? [])
  if (ones.length === parts.length) {
    return computing((input, frame) => {
      let text = ''
      for (const one of ones) {
        const part = one(input, frame)
        if (part === undefined) return undefined
        text = concat(text, part as string)
      }
      return text
    })
  }
  return {
    each: (input, path, frame, emit) =>
      combine(parts, input, frame, (values) => {
        const text = (values as readonly string[]).reduce(concat, '')
        return emit(text, computedPath(path, text))
      }),
  }
}

export function compileArray(node: NodeOf<'array'>, scope: Scope | null, compile: Compile): Code {
  if (node.body === null) return constantCode([])
  const body = compile(node.body, scope)
  if (body.constant !== undefined) return constantCode([body.constant])
  const { one } = body
  if (one !== undefined) {
    return computing((input, frame) => {
      allocate(HEADER_BYTES + SLOT_BYTES)
      const value = one(input, frame)
      return value === undefined ? [] : [value]
    })
  }
  return computing((input, frame) => collectCounted(body, input, frame))
}

/** All outputs in an array, with each counted as it comes. */
export function collectCounted(body: Code, ...[input, frame]: Parameters<One>): Value[] {
  allocate(HEADER_BYTES)
  const values: Value[] = []
  body.each(input, null, frame, (value) => {
    allocate(SLOT_BYTES)
    values.push(value)
    return true
  })
  return values
}

interface Field {
  readonly key: Code
  /** Null for the field of that name of the input. */
  readonly value: Code | null
}

export function compileObject(node: NodeOf<'object'>, scope: Scope | null, compile: Compile): Code {
  const fields = node.fields.map(({ key, value }): Field => {
    const code = compile(key, scope)
    checkKey(code, key)
    return { key: code, value: value === null ? null : compile(value, scope) }
  })
  if (fields.every(({ key, value }) => key.one !== undefined && (value === null || value.one !== undefined))) {
    return computing(objectOfOnes(fields))
  }
  const each: Each = (input, path, frame, emit) => {
    // The first field is the outermost loop.
    const fill = (at: number, made: ObjectDraft): boolean => {
      const next = fields[at]
      if (next === undefined) return emit(made, path)
      return next.key.each(input, null, frame, (key) => {
        const name = objectKey(key)
        const put = (value: Value): boolean => {
          allocate(HEADER_BYTES + SLOT_BYTES * (at + 1))
          return fill(at + 1, { ...made, [storedKey(name)]: value })
        }
        return next.value === null ? put(field(input, name)) : next.value.each(input, null, frame, put)
      })
    }
    return fill(0, {})
  }
  return { each }
}

function checkKey({ constant }: Code, node: JqNode): void {
  if (constant === undefined || typeof constant === 'string') return
  throw new TermError('jq-key', `${describe(constant)} cannot be a key of an object`, node.at)
}

function objectKey(key: Value): string {
  if (typeof key !== 'string') throw new JqError(`Cannot use ${describe(key)} as object key`)
  return key
}

function objectOfOnes(fields: readonly Field[]): One {
  return (input, frame) => {
    allocate(HEADER_BYTES + SLOT_BYTES * fields.length)
    const made: ObjectDraft = {}
    for (const { key, value } of fields) {
      const name = key.one!(input, frame)
      if (name === undefined) return undefined
      const text = objectKey(name)
      const content = value === null ? field(input, text) : value.one!(input, frame)
      if (content === undefined) return undefined
      made[storedKey(text)] = content
    }
    return made
  }
}
