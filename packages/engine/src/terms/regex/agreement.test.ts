import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/fixed-seed.js'
import { type Alternative, type Plan, TermError } from '../condition.js'
import { createRegexExtract, createRegexTest, parseRegex, planRegex } from './index.js'
import { buildAlphabet } from './run/alphabet.js'
import { createBacktracker } from './run/backtrack.js'
import { createCapture } from './run/capture.js'
import { createDfa } from './run/dfa.js'
import { compileProgram } from './run/program.js'
import { simulate } from './run/simulate.js'

/**
 * re2js is a port of Go's implementation, so it is the oracle. If the two differ, Go counts: names of groups may repeat,
 * `[[:]]` is a class of `[` and `:`, and properties are found by any spelling of their names. The patterns here avoid those.
 */
const oracle = (pattern: string): RE2JS => RE2JS.compile(pattern, RE2JS.DOTALL)

/** Few different characters, so that random texts match random patterns: with other cases, odd letters, several bytes. */
const CHARACTERS = [
  'a',
  'b',
  'k',
  's',
  'A',
  'K',
  'S',
  '\u212a',
  'ſ',
  'é',
  'É',
  'σ',
  'ς',
  '日',
  '😀',
  '\n',
  ' ',
  '_',
  '1',
  '\ufffd',
]

const ATOMS = [
  ...['a', 'b', 'ab', 'ba', 'aab', 'k', 's', 'ks', 'é', 'σ', '日', '😀', ' ', '\\n', '1', '\\x{fffd}'],
  ...['.', '.', '.*', '.*', '.+', '.*?', '[ab]', '[^a]', '[a-s]', '[aA]', '[kK]', '[^\\n]', '[\\s\\S]', '[[:alpha:]]'],
  ...['\\d', '\\w', '\\W', '\\s', '\\S', '\\p{Lu}', '[^\\p{Greek}1]'],
  ...['^', '$', '\\b', '\\B', '\\A', '\\z', '()', '(?i)', '(?-s)', '(?m)', '(?U)'],
]

const COUNTS = ['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,2}?', '{2,}', '{0}']

const GROUPS = ['(', '(?:', '(?:', '(?i:', '(?-s:', '(?m:', '(?U:', '(?is-U:']

const { pattern } = fc.letrec<{ pattern: string; branch: string; item: string }>((tie) => ({
  pattern: fc.array(tie('branch'), { minLength: 1, maxLength: 2 }).map((branches) => branches.join('|')),
  branch: fc.array(tie('item'), { maxLength: 3 }).map((items) => items.join('')),
  item: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...COUNTS)).map(repeated),
    fc
      .tuple(fc.constantFrom(...GROUPS), tie('pattern'), fc.constantFrom(...COUNTS))
      .map(([open, inner, count]) => `${open}${inner})${count}`),
  ),
}))

/** Repetitions and the empty pattern are not repeated. */
function repeated([atom, count]: [string, string]): string {
  return /[*+?]$|^\(\?/.test(atom) ? atom : `${atom}${count}`
}

const text = fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 12 })
const texts = fc.array(text, { minLength: 1, maxLength: 6 })

/** Half a pattern, or one with something put in. */
const brokenPattern = fc
  .tuple(
    pattern,
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom(...'()[]{}*+?|\\^$.-,:=!<>PQEdpxiU0129', '(?P<n>', '[:', '\\x{', '{2,'),
  )
  .map(([whole, at, cut, put]) => {
    const start = at % (whole.length + 1)
    return whole.slice(0, start) + put + whole.slice(start + cut)
  })
  .filter((broken) => !/\p{Surrogate}/u.test(broken))

function accepts(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch (error) {
    if (error instanceof TermError || (error as Error).constructor.name.startsWith('RE2JS')) return false
    throw error
  }
}

describe('the parser agrees with re2js', () => {
  it('on valid patterns', () => {
    fc.assert(
      fc.property(pattern, (source) => {
        expect(accepts(() => oracle(source))).toBe(true)
        expect(accepts(() => parseRegex(source))).toBe(true)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('on patterns that may be invalid', () => {
    const knownDifference = /\[\[?:|\\p|\\P/
    fc.assert(
      fc.property(brokenPattern, (source) => {
        fc.pre(!knownDifference.test(source))
        expect(accepts(() => parseRegex(source))).toBe(accepts(() => oracle(source)))
      }),
      { numRuns: runs(3000) },
    )
  })

  it('throws nothing but a TermError', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), brokenPattern), (source) => {
        accepts(() => planRegex(parseRegex(source)))
      }),
      { numRuns: runs(1500) },
    )
  })
})

const bytes = (value: string): string => Buffer.from(value).toString('latin1')
const lowered = (value: string): string => value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The slow obvious way to look for an alternative in the bytes of a text. */
function isFound({ needles, gaps }: Alternative, haystack: string): boolean {
  let from = 0
  return needles.every(({ text: needle, fold }, i) => {
    const [where, what] = fold ? [lowered(bytes(haystack)), lowered(bytes(needle))] : [bytes(haystack), bytes(needle)]
    const at = where.indexOf(what, from + gaps[i]!)
    from = at + what.length
    return at >= 0
  })
}

/** Whether an odd letter in the text makes the alternative say nothing (condition.ts). */
const saysNothing = ({ needles }: Alternative, haystack: string): boolean =>
  /[\u212a\u017f]/.test(haystack) && needles.some(({ text: needle, fold }) => fold && /[ks]/i.test(needle))

function checkPlan(plan: Plan, haystack: string, matches: boolean): void {
  if (plan === null) return
  const silent = plan.some((alternative) => saysNothing(alternative, haystack))
  if (matches && !silent) expect(plan.some((alternative) => isFound(alternative, haystack))).toBe(true)
  for (const alternative of plan) {
    expect(alternative.needles.length).toBeGreaterThan(0)
    expect(alternative.gaps[0]).toBe(0)
    if (alternative.exact && !saysNothing(alternative, haystack) && isFound(alternative, haystack))
      expect(matches).toBe(true)
  }
}

describe('plans', () => {
  it('are met by every text that matches, and are sufficient if they are exact', () => {
    fc.assert(
      fc.property(pattern, texts, (source, haystacks) => {
        const plan = planRegex(parseRegex(source))
        const regex = oracle(source)
        for (const haystack of haystacks) checkPlan(plan, haystack, regex.test(haystack))
      }),
      { numRuns: runs(1500) },
    )
  })

  it('hold for chains of literals that overlap', () => {
    const literal = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 3 })
    const part = fc.oneof(literal, fc.constantFrom('.*', '.+', '(.+)', '[ab]', '(a|ab)', '(?i:a)', 'b?', 'a+'))
    const chain = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
    const few = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é'), maxLength: 10 })
    fc.assert(
      fc.property(chain, fc.array(few, { minLength: 1, maxLength: 8 }), (source, haystacks) => {
        const plan = planRegex(parseRegex(source))
        const regex = oracle(source)
        for (const haystack of haystacks) checkPlan(plan, haystack, regex.test(haystack))
      }),
      { numRuns: runs(1500) },
    )
  })
})

describe('searching agrees with re2js', () => {
  it('on whether a text matches', () => {
    fc.assert(
      fc.property(pattern, texts, (source, haystacks) => {
        const test = createRegexTest(source)
        const regex = oracle(source)
        for (const haystack of haystacks) expect(test(haystack)).toBe(regex.test(haystack))
      }),
      { numRuns: runs(1500) },
    )
  })

  it('on the value that is extracted', () => {
    fc.assert(
      fc.property(pattern, texts, (source, haystacks) => {
        const extract = createRegexExtract(source)
        const regex = oracle(source)
        for (const haystack of haystacks) {
          const matcher = regex.matcher(haystack)
          const taken = matcher.find() ? matcher.group(regex.groupCount() > 0 ? 1 : 0) : null
          expect(extract(haystack)).toBe(taken ?? undefined)
        }
      }),
      { numRuns: runs(1500) },
    )
  })

  it('with each method: the automaton with very few states, all ways at once, and one way after the other', () => {
    fc.assert(
      fc.property(pattern, texts, (source, haystacks) => {
        const program = compileProgram(parseRegex(source), { groups: [1] })
        const dfa = createDfa(program, buildAlphabet(program)!, { states: 3, cells: 1000, remembered: 10 })
        const backtrack = createBacktracker(program)
        const captureFirst = createCapture(program)
        for (const haystack of haystacks) {
          const found = simulate(program, haystack)
          expect(dfa(haystack) ?? found).toBe(found)
          expect(backtrack(haystack, 0)).toEqual(captureFirst(haystack, 0))
          expect(backtrack(haystack, 0) !== undefined).toBe(found)
        }
      }),
      { numRuns: runs(1500) },
    )
  })
})
