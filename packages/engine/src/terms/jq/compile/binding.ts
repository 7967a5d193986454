import { TermError } from '../../condition.js'
import { meter, spend } from '../evaluation.js'
import type { JqPattern, NodeOf } from '../parse/ast.js'
import { index } from '../values/access.js'
import type { Path } from '../values/paths.js'
import { isArray, JqError, typeName, type Value } from '../values/value.js'
import { type Code, computing, type Each, type Frame } from './code.js'
import { type Compile, declare, resolve, type Scope } from './scope.js'

/** Stores parts of a value in the frames of its variables and continues; errors of the pattern are thrown. */
type Matcher = (value: Value, frame: Frame, then: () => boolean) => boolean

interface Binder {
  readonly scope: Scope
  /** Runs `then` with every way to bind the variables to parts of the value. */
  readonly bind: (value: Value, frame: Frame | null, then: (frame: Frame) => boolean) => boolean
  /** Set for `$name` alone, which has one way. */
  readonly simple: boolean
}

/** Compiles what follows `as`. The variables of all alternatives exist in each of them; those it does not have are null. */
function compilePatterns(patterns: readonly JqPattern[], outer: Scope | null, compile: Compile): Binder {
  const names = [...new Set(patterns.flatMap(namesOf))]
  const scope = names.reduce<Scope | null>((up, name) => declare(up, 'variable', name), outer)!
  const matchers = patterns.map((pattern) => compilePattern(pattern, scope, compile))
  const fresh = (frame: Frame | null): Frame =>
    names.reduce<Frame | null>((up) => ({ up, value: null, closure: null }), frame)!
  if (patterns.length === 1) {
    const [matcher] = matchers
    const simple = patterns[0]!.type === 'name'
    const bind: Binder['bind'] = (value, frame, then) => {
      const inner = fresh(frame)
      return matcher!(value, inner, () => then(inner))
    }
    return { scope, bind: simple ? (value, up, then) => then({ up, value, closure: null }) : bind, simple }
  }
  return { scope, simple: false, bind: (value, frame, then) => tryEach(matchers, fresh, value, frame, then) }
}

/** `?//`: the next pattern is tried when there is an error, be it in the pattern or in what follows. */
function tryEach(
  matchers: readonly Matcher[],
  fresh: (frame: Frame | null) => Frame,
  value: Value,
  frame: Frame | null,
  then: (frame: Frame) => boolean,
): boolean {
  const { depth } = meter
  for (let i = 0; ; i++) {
    const inner = fresh(frame)
    try {
      return matchers[i]!(value, inner, () => then(inner))
    } catch (error) {
      if (!(error instanceof JqError) || i === matchers.length - 1) throw error
      meter.depth = depth
    }
  }
}

function namesOf(pattern: JqPattern): string[] {
  if (pattern.type === 'name') return [pattern.name]
  if (pattern.type === 'array') return pattern.items.flatMap(namesOf)
  return pattern.fields.flatMap(({ name, value }) => [
    ...(name === undefined ? [] : [name]),
    ...(value === undefined ? [] : namesOf(value)),
  ])
}

function compilePattern(pattern: JqPattern, scope: Scope, compile: Compile): Matcher {
  if (pattern.type === 'name') return assign(pattern.name, scope)
  if (pattern.type === 'array') {
    return inTurn(
      pattern.items.map((item, i): Matcher => {
        const matcher = compilePattern(item, scope, compile)
        return (value, frame, then) => {
          if (value !== null && !isArray(value)) throw new JqError(`Cannot index ${typeName(value)} with number`)
          return matcher(index(value, i), frame, then)
        }
      }),
    )
  }
  return inTurn(
    pattern.fields.map((field): Matcher => {
      const key = compile(field.key, scope)
      const whole = field.name === undefined ? undefined : assign(field.name, scope)
      const part = field.value === undefined ? undefined : compilePattern(field.value, scope, compile)
      const matcher = inTurn([whole, part].filter((one) => one !== undefined))
      return (value, frame, then) =>
        key.each(value, null, frame, (k) => {
          if (typeof k !== 'string') throw new JqError(`Cannot index ${typeName(value)} with ${typeName(k)}`)
          return matcher(index(value, k), frame, then)
        })
    }),
  )
}

function assign(name: string, scope: Scope): Matcher {
  const hops = resolve(scope, 'variable', name)!
  return (value, frame, then) => {
    let at = frame
    for (let i = hops; i > 0; i--) at = at.up!
    at.value = value
    return then()
  }
}

/** Matches the same value with one matcher after the other. */
function inTurn(matchers: readonly Matcher[]): Matcher {
  return matchers.reduceRight(
    (after, matcher) => (value, frame, then) => matcher(value, frame, () => after(value, frame, then)),
  )
}

export function compileBind(node: NodeOf<'bind'>, scope: Scope | null, compile: Compile, last: boolean): Code {
  const source = compile(node.source, scope)
  const binder = compilePatterns(node.patterns, scope, compile)
  const inPlace = last && binder.simple && source.one !== undefined
  const body = compile(node.body, binder.scope, inPlace)
  const each: Each = (input, path, frame, emit) =>
    source.each(input, null, frame, (value) =>
      binder.bind(value, frame, (inner) => body.each(input, path, inner, emit)),
    )
  const { one: first } = source
  const { one: second } = body
  if (!binder.simple || first === undefined) return { each }
  const direct: Each = (input, path, frame, emit) => {
    const value = first(input, frame)
    return value === undefined || body.each(input, path, { up: frame, value, closure: null }, emit)
  }
  if (second === undefined) return { each: direct }
  return {
    each: direct,
    one: (input, frame) => {
      const value = first(input, frame)
      return value === undefined ? undefined : second(input, { up: frame, value, closure: null })
    },
  }
}

export function compileReduce(node: NodeOf<'reduce'>, scope: Scope | null, compile: Compile): Code {
  const source = compile(node.source, scope)
  const start = compile(node.start, scope)
  const binder = compilePatterns(node.patterns, scope, compile)
  const update = compile(node.update, binder.scope)
  const fold = (input: Value, frame: Frame | null, first: Value, firstPath: Path | null): [Value, Path | null] => {
    let state = first
    let path = firstPath
    source.each(input, null, frame, (item) =>
      binder.bind(item, frame, (inner) => {
        spend(1)
        const before = state
        // Without an output, the state is lost.
        state = null
        const beforePath = path
        return update.each(before, beforePath, inner, (value, at) => {
          state = value
          path = at
          return true
        })
      }),
    )
    return [state, path]
  }
  const each: Each = (input, path, frame, emit) =>
    start.each(input, path, frame, (value, at) => emit(...fold(input, frame, value, at)))
  const { one } = start
  if (one === undefined) return { each }
  return {
    each,
    one: (input, frame) => {
      const value = one(input, frame)
      return value === undefined ? undefined : fold(input, frame, value, null)[0]
    },
  }
}

export function compileForeach(node: NodeOf<'foreach'>, scope: Scope | null, compile: Compile): Code {
  const source = compile(node.source, scope)
  const start = compile(node.start, scope)
  const binder = compilePatterns(node.patterns, scope, compile)
  const update = compile(node.update, binder.scope)
  const extract = node.extract === null ? null : compile(node.extract, binder.scope)
  return {
    each: (input, path, frame, emit) =>
      start.each(input, path, frame, (first, firstPath) => {
        let state = first
        let statePath = firstPath
        return source.each(input, null, frame, (item) =>
          binder.bind(item, frame, (inner) => {
            spend(1)
            const before = state
            state = null
            return update.each(before, statePath, inner, (value, at) => {
              state = value
              statePath = at
              return extract === null ? emit(value, at) : extract.each(value, at, inner, emit)
            })
          }),
        )
      }),
  }
}

/** Thrown by `break`, caught by the `label` whose frame it names. */
class Leaving {
  readonly label: Frame

  constructor(label: Frame) {
    this.label = label
  }
}

export function compileLabel(node: NodeOf<'label'>, scope: Scope | null, compile: Compile): Code {
  const body = compile(node.body, declare(scope, 'label', node.name))
  return {
    each: (input, path, frame, emit) => {
      const { depth } = meter
      const inner: Frame = { up: frame, value: null, closure: null }
      try {
        return body.each(input, path, inner, emit)
      } catch (error) {
        if (!(error instanceof Leaving) || error.label !== inner) throw error
        meter.depth = depth
        return true
      }
    },
  }
}

export function compileBreak(node: NodeOf<'break'>, scope: Scope | null): Code {
  const hops = resolve(scope, 'label', node.name)
  if (hops === undefined) throw new TermError('jq-label', `there is no label $${node.name} to break to`, node.at)
  return computing((_, frame) => {
    let label = frame!
    for (let i = hops; i > 0; i--) label = label.up!
    throw new Leaving(label)
  })
}
