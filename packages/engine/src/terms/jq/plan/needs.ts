import type { JqNode, NodeOf } from '../parse/ast.js'
import type { Needs } from '../values/document.js'
import { isMarkedKey } from '../values/value.js'

const NOTHING = 0
const KEYS = 1
const NUMBERS = 2
const ALL = KEYS | NUMBERS

/**
 * What a filter needs of an entry. Most filters only access fields by name, and compare them with
 * strings; any other filter needs everything.
 */
export function needsOf(node: JqNode): Needs {
  const needs = visit(node, new Set())
  return { keys: (needs & KEYS) !== 0, numbers: (needs & NUMBERS) !== 0 }
}

/** `own` are the functions and arguments that the filter defines, whose bodies are visited where they are defined. */
function visit(node: JqNode, own: Set<string>): number {
  switch (node.type) {
    case 'identity':
    case 'literal':
    case 'variable':
      return NOTHING
    case 'index': {
      if (node.key.type !== 'literal' || typeof node.key.value !== 'string') return ALL
      return visit(node.target, own) | (isMarkedKey(node.key.value) ? KEYS : NOTHING)
    }
    case 'iterate':
      // Of an object, the order of its values may be seen.
      return visit(node.target, own) | KEYS
    case 'pipe':
    case 'comma':
    case 'and':
    case 'or':
    case 'alternative':
      return visit(node.left, own) | visit(node.right, own)
    case 'if':
      return visit(node.condition, own) | visit(node.then, own) | (node.else === null ? NOTHING : visit(node.else, own))
    case 'try':
      // A handler sees the message, in which there may be a value.
      return node.handler === null ? visit(node.body, own) : ALL
    case 'array':
      return node.body === null ? NOTHING : visit(node.body, own)
    case 'bind':
      if (node.patterns.some((pattern) => pattern.type !== 'name')) return ALL
      return visit(node.source, own) | visit(node.body, own)
    case 'binary':
      return visitBinary(node, own)
    case 'def':
      own.add(`${node.name}/${node.params.length}`)
      for (const { name } of node.params) own.add(`${name}/0`)
      return visit(node.body, own) | visit(node.rest, own)
    case 'call':
      return visitCall(node, own)
    default:
      return ALL
  }
}

function visitBinary(node: NodeOf<'binary'>, own: Set<string>): number {
  const { left, right, operator } = node
  const needs = visit(left, own) | visit(right, own)
  if ((operator === '==' || operator === '!=') && (isTextual(left) || isTextual(right))) return needs
  // For comparisons with a number there is `doubt`. Others may show the order of keys or the digits of numbers.
  return needs | (COMPARISONS.has(operator) && (isNumber(left) || isNumber(right)) ? NOTHING : ALL)
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])

/** A constant that no number equals. */
function isTextual(node: JqNode): boolean {
  return node.type === 'literal' && (node.value === null || ['string', 'boolean'].includes(typeof node.value))
}

function isNumber(node: JqNode): boolean {
  return node.type === 'literal' && typeof node.value === 'number'
}

/** The builtins that look at values without showing their numbers or the order of their keys. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['not/0', 'select/1', 'empty/0', 'type/0', 'length/0', 'values/0', 'nulls/0', 'strings/0', 'objects/0'],
  ...['arrays/0', 'numbers/0', 'booleans/0', 'scalars/0', 'iterables/0', 'startswith/1', 'endswith/1', 'ltrimstr/1'],
  ...['rtrimstr/1', 'test/1', 'test/2', 'ascii_downcase/0', 'ascii_upcase/0', 'first/1', 'isempty/1', 'any/2', 'all/2'],
])
const ITERATING: ReadonlySet<string> = new Set(['any/0', 'all/0', 'any/1', 'all/1', 'map/1'])
/** Those of which this holds if the argument is a literal string. */
const WITH_TEXT: ReadonlySet<string> = new Set(['has/1', 'contains/1', 'index/1', 'IN/1', 'inside/1'])

function visitCall({ name, args }: NodeOf<'call'>, own: Set<string>): number {
  const key = `${name}/${args.length}`
  let needs = NOTHING
  for (const arg of args) needs |= visit(arg, own)
  if (own.has(key) || PLAIN.has(key)) return needs
  if (ITERATING.has(key)) return needs | KEYS
  const texts = WITH_TEXT.has(key) ? textsOf(args[0]!) : undefined
  if (texts === undefined) return ALL
  return needs | (key === 'has/1' && texts.some(isMarkedKey) ? KEYS : NOTHING)
}

/** The strings that a filter outputs, if it outputs only literal strings. */
function textsOf(node: JqNode): string[] | undefined {
  if (node.type === 'literal') return typeof node.value === 'string' ? [node.value] : undefined
  if (node.type !== 'comma') return undefined
  const left = textsOf(node.left)
  const right = textsOf(node.right)
  return left === undefined || right === undefined ? undefined : [...left, ...right]
}
