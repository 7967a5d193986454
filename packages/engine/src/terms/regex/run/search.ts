import type { RegexNode } from '../parse/node.js'
import { parseRegex } from '../parse/parse.js'
import { buildAlphabet } from './alphabet.js'
import { canBacktrack, createBacktracker } from './backtrack.js'
import { createCapture, type Search, type SearchOptions } from './capture.js'
import { createDfa } from './dfa.js'
import {
  BEFORE_FINAL_NEWLINE,
  compileProgram,
  LINE_START_NOT_END,
  type Program,
  type ProgramOptions,
} from './program.js'
import { simulate } from './simulate.js'

type Test = (text: string) => boolean

/**
 * Makes the full test of a pattern: an unanchored search in linear time. The pattern is compiled on first use.
 *
 * @example
 * const test = createRegexTest('(?i)disk .*full')
 * test('Disk sda1 is full') // true
 */
export function createRegexTest(pattern: string): Test {
  let test: Test | undefined
  return (text) => {
    test ??= createTest(compileProgram(parseRegex(pattern)))
    return test(text)
  }
}

/** After the n-th time that the automaton gives up, 2 to the power of n texts are simulated; n is at most this. */
const MAX_PATIENCE = 16

/** Makes a test of whether a program matches a text. */
function createTest(program: Program, spend?: (steps: number) => void): Test {
  const alphabet = buildAlphabet(program)
  if (!alphabet) return (text) => simulate(program, text, spend)
  const search = createDfa(program, alphabet)
  const looksFarAhead = (program.places & (BEFORE_FINAL_NEWLINE | LINE_START_NOT_END)) !== 0
  let failures = 0
  let pause = 0
  return (text) => {
    if (looksFarAhead && text.endsWith('\n')) return simulate(program, text, spend)
    if (pause > 0) {
      pause -= 1
      return simulate(program, text, spend)
    }
    spend?.(text.length >>> 1)
    const found = search(text)
    if (found !== undefined) return found
    failures = Math.min(failures + 1, MAX_PATIENCE)
    pause = 2 ** failures
    return simulate(program, text, spend)
  }
}

/**
 * Makes a function that extracts a value from a text: the first group of the first match, or the whole match if the
 * pattern has no group. The value is `undefined` without a match, and if the group did not take part in it.
 *
 * @example
 * createRegexExtract('user=(\\w+)')('login user=root ok') // 'root'
 */
export function createRegexExtract(pattern: string): (text: string) => string | undefined {
  let search: Search | undefined
  return (text) => {
    search ??= createExtractSearch(parseRegex(pattern))
    const bounds = search(text, 0)
    return bounds && bounds[1]! >= 0 ? text.slice(bounds[0], bounds[1]) : undefined
  }
}

function createExtractSearch(node: RegexNode): Search {
  const program = compileProgram(hasGroup(node) ? node : { kind: 'group', index: 1, node }, { groups: [1] })
  const search = createSearch(program, {})
  const test = createTest(program)
  // On a long text, the automaton is so much faster that it is worth running first.
  return (text, start) => (canBacktrack(program, text, start) || test(text) ? search(text, start) : undefined)
}

function createSearch(program: Program, options: SearchOptions): Search {
  const backtrack = createBacktracker(program, options)
  const capture = createCapture(program, options)
  return (text, start) => (canBacktrack(program, text, start) ? backtrack : capture)(text, start)
}

function hasGroup(node: RegexNode): boolean {
  switch (node.kind) {
    case 'group':
      return true
    case 'concat':
    case 'alternate':
      return node.nodes.some(hasGroup)
    case 'repeat':
      return hasGroup(node.node)
    default:
      return false
  }
}

/** A pattern that can be searched for repeatedly in one text. */
export interface Searcher {
  readonly test: Test
  /** The bounds of the first match from `start` on, then those of its groups, which are -1 for a group that did not take part. */
  readonly search: Search
}

/** Makes a searcher for a tree with the groups 1 to `groups`. It is compiled on first use. */
export function createSearcher(
  node: RegexNode,
  groups: number,
  options: SearchOptions & Omit<ProgramOptions, 'groups'>,
): Searcher {
  const all = Array.from({ length: groups + 1 }, (_, index) => index)
  let test: Test | undefined
  let search: Search | undefined
  return {
    test: (text) => {
      test ??= createTest(compileProgram(node, options), options.spend)
      return test(text)
    },
    search: (text, start) => {
      search ??= createSearch(compileProgram({ kind: 'group', index: 0, node }, { ...options, groups: all }), options)
      return search(text, start)
    },
  }
}
