import { TermError } from '../../condition.js'
import { type Code, combine, computedPath, computing, constantCode, type Frame } from '../compile/code.js'
import { isGuarded, type Scope } from '../compile/scope.js'
import { allocate, HEADER_BYTES, SLOT_BYTES, spend } from '../evaluation.js'
import { createMatcher, type Matcher } from '../oniguruma/matcher.js'
import type { NodeOf } from '../parse/ast.js'
import { concat, describe } from '../values/arithmetic.js'
import { codePointCount, isArray, JqError, type ObjectDraft, storedKey, typeName, type Value } from '../values/value.js'
import type { FormTable } from './index.js'

// The flags of builtins that may get them with the pattern.
const WITH_PATTERN: Value = ['with the pattern']
const IN_PATTERN = constantCode(WITH_PATTERN)
const NO_FLAGS = constantCode(null)
const NO_TEXT = constantCode('')

/** Builtins about regular expressions. */
export const REGEX_FORMS: FormTable = {
  'test/1': ([pattern], ...site) => testing(pattern!, IN_PATTERN, site),
  'test/2': ([pattern, flags], ...site) => testing(pattern!, flags!, site),
  'match/1': ([pattern], ...site) => matching(pattern!, IN_PATTERN, '', describeMatch, site),
  'match/2': ([pattern, flags], ...site) => matching(pattern!, flags!, '', describeMatch, site),
  'capture/1': ([pattern], ...site) => matching(pattern!, IN_PATTERN, '', captures, site),
  'capture/2': ([pattern, flags], ...site) => matching(pattern!, flags!, '', captures, site),
  'scan/1': ([pattern], ...site) => matching(pattern!, NO_FLAGS, 'g', scanned, site),
  'scan/2': ([pattern, flags], ...site) => matching(pattern!, flags!, 'g', scanned, site),
  'splits/1': ([pattern], ...site) => splitting(pattern!, NO_FLAGS, site, false),
  'splits/2': ([pattern, flags], ...site) => splitting(pattern!, flags!, site, false),
  'split/2': ([pattern, flags], ...site) => splitting(pattern!, flags!, site, true),
  'sub/2': ([pattern, replacement], ...site) => replacing(pattern!, replacement!, NO_TEXT, '', site),
  'sub/3': ([pattern, replacement, flags], ...site) => replacing(pattern!, replacement!, flags!, '', site),
  'gsub/2': ([pattern, replacement], ...site) => replacing(pattern!, replacement!, NO_TEXT, 'g', site),
  'gsub/3': ([pattern, replacement, flags], ...site) => replacing(pattern!, replacement!, flags!, 'g', site),
}

/** A call and its scope. */
type Site = readonly [node: NodeOf<'call'>, scope: Scope | null]

/** One match: its bounds in the text, and those of its groups. */
interface Match {
  readonly text: string
  /** Bounds in UTF-16 units, of the match and then of every group. */
  readonly bounds: ArrayLike<number>
  readonly names: readonly (string | null)[]
}

interface Search {
  readonly matcher: Matcher
  readonly global: boolean
}

// Patterns that a filter computes are few and recur.
const CACHE_SIZE = 64

/** Compiles a pattern with its flags; the last ones are cached. */
function createCompiler(pattern: Code, flags: Code, added: string): (pattern: Value, flags: Value) => Search {
  if (pattern.constant !== undefined && flags.constant !== undefined) {
    const constants = [pattern.constant, flags.constant] as const
    let only: Search | undefined
    return () => {
      only ??= compileSearch(...readPattern(...constants), added)
      return only
    }
  }
  const cache = new Map<string, Search>()
  return (source, letters) => {
    const [text, options] = readPattern(source, letters)
    const key = `${options}/${text}`
    const known = cache.get(key)
    if (known !== undefined) return known
    spend(text.length)
    const search = compileSearch(text, options, added)
    if (cache.size >= CACHE_SIZE) cache.clear()
    cache.set(key, search)
    return search
  }
}

/** The pattern and its flags. Where no flags can be given, the pattern may be an array of both. */
function readPattern(pattern: Value, flags: Value): [string, string] {
  if (flags === WITH_PATTERN) {
    if (typeof pattern === 'string') return [pattern, '']
    if (!isArray(pattern) || pattern.length === 0) throw new JqError(`${typeName(pattern)} not a string or array`)
    return readPattern(pattern[0]!, pattern[1] ?? null)
  }
  if (typeof pattern !== 'string') throw new JqError(`${describe(pattern)} cannot be matched, as it is not a string`)
  if (flags !== null && typeof flags !== 'string') throw new JqError(`${describe(flags)} is not a string`)
  return [pattern, flags ?? '']
}

function compileSearch(source: string, flags: string, added: string): Search {
  try {
    return { matcher: createMatcher(source, flags), global: (flags + added).includes('g') }
  } catch (error) {
    if (!(error instanceof TermError)) throw error
    throw new JqError(error.message.includes('modifier') ? error.message : `Regex failure: ${error.message}`)
  }
}

/**
 * Refuses a pattern that is written in the filter and cannot be used. Within `try`, a pattern that is an error in jq too
 * stays an error at run time; one that is only unsupported here would silently give another result, and is refused.
 */
function check(pattern: Code, flags: Code, [node, scope]: Site): void {
  if (typeof pattern.constant !== 'string' && typeof flags.constant !== 'string') return
  const source = typeof pattern.constant === 'string' ? pattern.constant : ''
  const letters = typeof flags.constant === 'string' ? flags.constant : ''
  try {
    createMatcher(source, letters)
  } catch (error) {
    if (!(error instanceof TermError)) throw error
    if (error.code === 'regex-syntax' && isGuarded(scope)) return
    const isAboutFlags = error.message.includes('modifier')
    const { at } = node.args.at(isAboutFlags ? -1 : 0) ?? node
    throw new TermError('jq-regex', `the regular expression of ${node.name} cannot be used: ${error.message}`, at)
  }
}

function textOf(input: Value): string {
  if (typeof input !== 'string') throw new JqError(`${describe(input)} cannot be matched, as it is not a string`)
  return input
}

function testing(pattern: Code, flags: Code, site: Site): Code {
  check(pattern, flags, site)
  const compile = createCompiler(pattern, flags, '')
  const run = (input: Value, source: Value, letters: Value): boolean => {
    const { matcher } = compile(source, letters)
    return matcher.test(textOf(input))
  }
  const { one: first, constant: source } = pattern
  const { one: second, constant: letters } = flags
  if (source !== undefined && letters !== undefined) return computing((input) => run(input, source, letters))
  if (first !== undefined && second !== undefined) {
    return computing((input, frame) => {
      const b = second(input, frame)
      const a = b === undefined ? undefined : first(input, frame)
      return a === undefined ? undefined : run(input, a, b!)
    })
  }
  return {
    each: (input, path, frame, emit) =>
      combine([pattern, flags], input, frame, ([a, b]) => emit(run(input, a!, b!), path)),
  }
}

/** Calls `then` with every match until it returns false, and returns false in that case. */
function matchesIn({ matcher, global }: Search, text: string, then: (match: Match) => boolean): boolean {
  for (let start = 0; start <= text.length; ) {
    const bounds = matcher.search(text, start)
    if (bounds === undefined) return true
    const from = bounds[0]!
    const to = bounds[1]!
    if (!then({ text, bounds, names: matcher.names })) return false
    if (!global) return true
    start = to > from ? to : to + ((text.charCodeAt(to) & 0xfc00) === 0xd800 ? 2 : 1)
  }
  return true
}

/** A form with one output for every match. */
function matching(pattern: Code, flags: Code, added: string, describe: (match: Match) => Value, site: Site): Code {
  check(pattern, flags, site)
  const compile = createCompiler(pattern, flags, added)
  return {
    each: (input, path, frame, emit) =>
      combine([pattern, flags], input, frame, ([source, letters]) => {
        const search = compile(source!, letters!)
        return matchesIn(search, textOf(input), (match) => {
          const value = describe(match)
          return emit(value, computedPath(path, value))
        })
      }),
  }
}

/** The string of a group. In an empty match, groups are empty too. */
function groupText({ text, bounds }: Match, group: number): string | null {
  if (bounds[0] === bounds[1]) return ''
  return bounds[2 * group]! < 0 ? null : text.slice(bounds[2 * group], bounds[2 * group + 1])
}

function describeMatch(match: Match): Value {
  const { text, bounds, names } = match
  const from = bounds[0]!
  const to = bounds[1]!
  allocate((names.length + 1) * (HEADER_BYTES + 4 * SLOT_BYTES))
  spend((text.length >>> 4) + 1)
  const offset = codePointCount(text.slice(0, from))
  const string = text.slice(from, to)
  return {
    offset,
    length: codePointCount(string),
    string,
    captures: names.map((name, i) => {
      const group = groupText(match, i + 1)
      if (from === to || group === null) return { offset: from === to ? offset : -1, string: group, length: 0, name }
      const start = codePointCount(text.slice(0, bounds[2 * i + 2]))
      return { offset: start, length: codePointCount(group), string: group, name }
    }),
  }
}

/** The groups with names. */
function captures(match: Match): Value {
  allocate(HEADER_BYTES + match.names.length * SLOT_BYTES)
  const result: ObjectDraft = {}
  for (const [i, name] of match.names.entries()) {
    if (name !== null) result[storedKey(name)] = groupText(match, i + 1)
  }
  return result
}

function scanned(match: Match): Value {
  if (match.names.length === 0) return match.text.slice(match.bounds[0], match.bounds[1])
  allocate(HEADER_BYTES + match.names.length * SLOT_BYTES)
  return match.names.map((_, i) => groupText(match, i + 1))
}

/** The parts of the string between the matches, for all flags that are given. */
function splitting(pattern: Code, flags: Code, site: Site, together: boolean): Code {
  check(pattern, flags, site)
  const compile = createCompiler(pattern, flags, 'g')
  return {
    each: (input, path, frame, emit) =>
      pattern.each(input, null, frame, (source) => {
        const cuts: number[] = [0]
        flags.each(input, null, frame, (letters) =>
          matchesIn(compile(source, letters), textOf(input), ({ bounds }) => {
            allocate(2 * SLOT_BYTES)
            return cuts.push(bounds[0]!, bounds[1]!) > 0
          }),
        )
        const text = textOf(input)
        cuts.push(text.length)
        if (together) return emit(partsOf(text, cuts), path)
        return partsOf(text, cuts).every((part) => emit(part, computedPath(path, part)))
      }),
  }
}

function partsOf(text: string, cuts: readonly number[]): string[] {
  const parts: string[] = []
  allocate(HEADER_BYTES + (cuts.length >>> 1) * (HEADER_BYTES + SLOT_BYTES))
  for (let i = 0; i < cuts.length; i += 2) parts.push(text.slice(cuts[i], cuts[i + 1]))
  return parts
}

function replacing(pattern: Code, replacement: Code, flags: Code, added: string, site: Site): Code {
  check(pattern, flags, site)
  const compile = createCompiler(pattern, flags, added)
  return {
    each: (input, path, frame, emit) =>
      pattern.each(input, null, frame, (source) =>
        flags.each(input, null, frame, (letters) => {
          const results = replace(compile(source, letters), textOf(input), replacement, frame)
          return results.every((text) => emit(text, computedPath(path, text)))
        }),
      ),
  }
}

/** The string with its matches replaced: one result for each output of the replacement, the n-th with the n-th output for every match. */
function replace(search: Search, text: string, replacement: Code, frame: Frame | null): string[] {
  const results: string[] = []
  let from = 0
  matchesIn(search, text, (match) => {
    const gap = text.slice(from, match.bounds[0])
    let count = 0
    replacement.each(captures(match), null, frame, (value) => {
      spend(1)
      if (typeof value !== 'string') throw new JqError(`${describe(gap)} and ${describe(value)} cannot be added`)
      results[count] = concat(results[count] ?? '', gap + value)
      count++
      return true
    })
    from = match.bounds[1]!
    return true
  })
  const rest = text.slice(from)
  return results.length === 0 ? [text] : results.map((result) => concat(result, rest))
}
