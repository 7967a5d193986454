import { buildAlphabet } from './alphabet.js'
import { canBacktrack, createBacktracker } from './backtrack.js'
import { type Bounds, captureFirst } from './capture.js'
import { createDfa } from './dfa.js'
import type { RegexNode } from './node.js'
import { parseRegex } from './parse.js'
import { compileProgram, type Program } from './program.js'
import { simulate } from './simulate.js'

type Test = (text: string) => boolean

/**
 * Makes the full test of a pattern: an unanchored search in linear time. The pattern is compiled on first use.
 *
 * ```ts
 * const test = createRegexTest('(?i)disk .*full')
 * test('Disk sda1 is full') // true
 * ```
 */
export function createRegexTest(pattern: string): Test {
  let test: Test | undefined
  return (text) => {
    test ??= testOf(compileProgram(parseRegex(pattern), false))
    return test(text)
  }
}

/** Where the automaton keeps giving up it is asked again only after 2, 4, 8 … texts, at most 2 to the power of this. */
const MAX_PATIENCE = 16

function testOf(program: Program): Test {
  const alphabet = buildAlphabet(program)
  if (!alphabet) return (text) => simulate(program, text)
  const search = createDfa(program, alphabet)
  let failures = 0
  let pause = 0
  return (text) => {
    if (pause > 0) {
      pause -= 1
      return simulate(program, text)
    }
    const found = search(text)
    if (found !== undefined) return found
    failures = Math.min(failures + 1, MAX_PATIENCE)
    pause = 2 ** failures
    return simulate(program, text)
  }
}

/**
 * Makes a function that takes a value from a text: the first group of the first match, or the whole match where the
 * pattern has no group. `undefined` without a match, and where the group took no part in it.
 *
 * ```ts
 * createRegexExtract('user=(\\w+)')('login user=root ok') // 'root'
 * ```
 */
export function createRegexExtract(pattern: string): (text: string) => string | undefined {
  let capture: ((text: string) => Bounds | undefined) | undefined
  return (text) => {
    capture ??= captureOf(compileProgram(withGroup(parseRegex(pattern)), true))
    const bounds = capture(text)
    return bounds && bounds.end >= 0 ? text.slice(bounds.start, bounds.end) : undefined
  }
}

function captureOf(program: Program): (text: string) => Bounds | undefined {
  const backtrack = createBacktracker(program)
  const test = testOf(program)
  return (text) => {
    if (canBacktrack(program, text)) return backtrack(text)
    return test(text) ? captureFirst(program, text) : undefined
  }
}

const withGroup = (node: RegexNode): RegexNode => (hasGroup(node) ? node : { kind: 'group', index: 1, node })

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
