import { TermError } from '../../condition.js'
import { parseOnig } from '../oniguruma/parse.js'
import type { BinaryOperator, JqNode, NodeOf } from '../parse/ast.js'
import { isTruthy, type Value } from '../values/value.js'
import {
  ANYTHING,
  AS_WRITTEN,
  both,
  containing,
  containingMatch,
  either,
  type Manner,
  NEVER,
  type Requirement,
} from './requirement.js'

/** Where a value comes from: the entry contains it, perhaps written differently, or it was computed. */
export interface Origin extends Manner {
  readonly kind: 'document' | 'computed'
}

const COMPUTED: Origin = { kind: 'computed', ...AS_WRITTEN }

/** Where `.` comes from at the start of a filter. */
export const IN_DOCUMENT: Origin = { kind: 'document', ...AS_WRITTEN }

/** Exactly as in the entry: only the fields of such a value are known to be in the entry. */
function isVerbatim({ kind, fold, printed }: Origin): boolean {
  return kind === 'document' && !fold && !printed
}

/** What is known at an expression. */
export interface Site {
  /** The origin of `.`. */
  readonly dot: Origin
  readonly variables: ReadonlyMap<string, Origin>
}

/** Where the outputs of an expression come from. */
function originOf(node: JqNode, site: Site): Origin {
  switch (node.type) {
    case 'identity':
      return site.dot
    case 'index':
    case 'iterate': {
      const origin = originOf(node.target, site)
      return isVerbatim(origin) ? origin : COMPUTED
    }
    case 'recurse':
      return isVerbatim(site.dot) ? site.dot : COMPUTED
    case 'literal':
      // Nothing is ever found in the empty string, so it can replace a field that is missing.
      return node.value === '' ? IN_DOCUMENT : COMPUTED
    case 'array':
      return node.body === null ? IN_DOCUMENT : originOf(node.body, site)
    case 'variable':
      return site.variables.get(node.name) ?? COMPUTED
    case 'pipe':
      return originOf(node.right, { ...site, dot: originOf(node.left, site) })
    case 'comma':
    case 'alternative':
      return common(originOf(node.left, site), originOf(node.right, site))
    case 'if':
      return common(originOf(node.then, site), node.else === null ? site.dot : originOf(node.else, site))
    case 'try':
      return node.handler === null ? originOf(node.body, site) : COMPUTED
    case 'call':
      return originOfCall(node, site)
    default:
      return COMPUTED
  }
}

/** One of two origins; which one is not known. */
function common(a: Origin, b: Origin): Origin {
  if (a.kind !== 'document' || b.kind !== 'document') return COMPUTED
  return { kind: 'document', fold: a.fold || b.fold, printed: a.printed || b.printed }
}

const CASES: ReadonlySet<string> = new Set(['ascii_downcase/0', 'ascii_upcase/0'])
const SAME: ReadonlySet<string> = new Set(
  'select/1 values/0 nulls/0 booleans/0 numbers/0 strings/0 arrays/0 objects/0 iterables/0 scalars/0'.split(' '),
)

function originOfCall(node: NodeOf<'call'>, site: Site): Origin {
  const key = keyOf(node)
  if (SAME.has(key)) return site.dot
  if (CASES.has(key) && site.dot.kind === 'document') return { ...site.dot, fold: true }
  if (key === 'tostring/0' && site.dot.kind === 'document') return { ...site.dot, printed: true }
  if (key === 'map/1') return isVerbatim(site.dot) ? originOf(node.args[0]!, site) : COMPUTED
  if (key === 'first/1' || key === 'last/1') return originOf(node.args[0]!, site)
  return COMPUTED
}

function keyOf({ name, args }: NodeOf<'call'>): string {
  return `${name}/${args.length}`
}

/** What an entry must contain for an expression to have an output that is neither null nor false. */
export function truthy(node: JqNode, site: Site): Requirement {
  switch (node.type) {
    case 'literal':
      return isTruthy(node.value) ? ANYTHING : NEVER
    case 'index':
    case 'iterate':
    case 'slice':
      return present(node, site)
    case 'pipe': {
      const after = { ...site, dot: originOf(node.left, site) }
      return both(produced(node.left, site), both(throughDot(node, site), truthy(node.right, after)))
    }
    case 'and':
      return both(truthy(node.left, site), truthy(node.right, site))
    case 'or':
    case 'comma':
    case 'alternative':
      return either(truthy(node.left, site), truthy(node.right, site))
    case 'if': {
      const then = both(truthy(node.condition, site), truthy(node.then, site))
      return either(then, node.else === null ? ANYTHING : truthy(node.else, site))
    }
    case 'try': {
      const handled = node.handler === null ? NEVER : truthy(node.handler, { ...site, dot: COMPUTED })
      return either(truthy(node.body, site), handled)
    }
    case 'bind':
      return both(produced(node.source, site), truthy(node.body, binding(node, site)))
    case 'binary':
      return comparison(node, site)
    case 'label':
      return truthy(node.body, site)
    case 'break':
      return NEVER
    case 'call':
      return truthyCall(node, site)
    default:
      return ANYTHING
  }
}

/** The right side of a pipe may output its input, so that the left side must be neither null nor false. */
function throughDot({ left, right }: NodeOf<'pipe'>, site: Site): Requirement {
  if (left.type === 'array' && left.body !== null && isNotEmpty(right)) return produced(left.body, site)
  const passes = right.type === 'identity' || (right.type === 'call' && SAME.has(keyOf(right)))
  if (passes && right.type === 'call' && ['nulls/0', 'booleans/0'].includes(keyOf(right))) return ANYTHING
  const looksInto = right.type === 'index' || right.type === 'iterate' || right.type === 'slice'
  return passes || (looksInto && isOnDot(right)) || needsText(right) ? truthy(left, site) : ANYTHING
}

/** `length > 0`, in any of its spellings. */
function isNotEmpty(node: JqNode): boolean {
  if (node.type !== 'binary' || node.left.type !== 'call' || keyOf(node.left) !== 'length/0') return false
  const { operator, right } = node
  if (right.type !== 'literal') return false
  return operator === '>=' ? right.value === 1 : (operator === '>' || operator === '!=') && right.value === 0
}

function isOnDot(node: NodeOf<'index' | 'iterate' | 'slice'>): boolean {
  const { target } = node
  if (target.type === 'identity') return true
  return (target.type === 'index' || target.type === 'iterate' || target.type === 'slice') && isOnDot(target)
}

const ON_TEXT: ReadonlySet<string> = new Set(
  'test/1 test/2 match/1 match/2 capture/1 capture/2 scan/1 startswith/1 endswith/1 ascii_downcase/0 ascii_upcase/0'.split(
    ' ',
  ),
)

/** Whether an expression is an error unless `.` is a string. */
function needsText(node: JqNode): boolean {
  return node.type === 'call' && ON_TEXT.has(keyOf(node))
}

function binding(node: NodeOf<'bind'>, site: Site): Site {
  const variables = new Map(site.variables)
  const [pattern, ...others] = node.patterns
  if (others.length > 0 || pattern?.type !== 'name') return { ...site, variables: new Map() }
  variables.set(pattern.name, originOf(node.source, site))
  return { ...site, variables }
}

/** What an entry must contain for an expression to have an output. */
function produced(node: JqNode, site: Site): Requirement {
  switch (node.type) {
    case 'iterate':
      // A value whose elements are needed must exist.
      return truthy(node.target, site)
    case 'pipe':
      return both(produced(node.left, site), produced(node.right, { ...site, dot: originOf(node.left, site) }))
    case 'comma':
      return either(produced(node.left, site), produced(node.right, site))
    case 'index':
    case 'slice':
      return produced(node.target, site)
    case 'call': {
      const key = keyOf(node)
      if (key === 'select/1') return truthy(node.args[0]!, site)
      if (key === 'empty/0' || key === 'error/0' || key === 'error/1') return NEVER
      return MATCHING.has(key) ? truthyCall(node, site) : ANYTHING
    }
    default:
      return ANYTHING
  }
}

/** What an entry must contain for an expression to have an output that is not null. */
function present(node: JqNode, site: Site): Requirement {
  switch (node.type) {
    case 'index': {
      const within = present(node.target, site)
      const origin = originOf(node.target, site)
      if (!isVerbatim(origin)) return within
      const key = node.key.type === 'literal' && typeof node.key.value === 'string' ? node.key.value : undefined
      return key === undefined ? within : both(within, containing(key, true))
    }
    case 'iterate':
    case 'slice':
      return present(node.target, site)
    case 'pipe': {
      const inner = { ...site, dot: originOf(node.left, site) }
      const looksInto = node.right.type === 'index' || node.right.type === 'iterate' || node.right.type === 'slice'
      const through = looksInto && isOnDot(node.right as NodeOf<'index'>) ? present(node.left, site) : ANYTHING
      return both(both(produced(node.left, site), through), present(node.right, inner))
    }
    case 'literal':
      return node.value === null ? NEVER : ANYTHING
    case 'try':
      return node.handler === null ? present(node.body, site) : ANYTHING
    default:
      return ANYTHING
  }
}

const MIRRORED: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

function comparison({ operator, left, right }: NodeOf<'binary'>, site: Site): Requirement {
  const mirrored = MIRRORED[operator]
  if (mirrored === undefined) return ANYTHING
  if (right.type === 'literal') return comparedWith(left, operator, right.value, site)
  return left.type === 'literal' ? comparedWith(right, mirrored, left.value, site) : ANYTHING
}

function comparedWith(node: JqNode, operator: BinaryOperator, constant: Value, site: Site): Requirement {
  if (operator === '!=') return constant === null ? present(node, site) : produced(node, site)
  // Null is the least of all values.
  if (operator === '<' || operator === '<=') return produced(node, site)
  if (operator !== '==')
    return both(produced(node, site), constant === null && operator === '>=' ? ANYTHING : present(node, site))
  if (constant === null) return produced(node, site)
  const there = both(produced(node, site), present(node, site))
  if (typeof constant !== 'string') return there
  const origin = originOf(node, site)
  return origin.kind === 'document' ? both(there, containing(constant, false, origin)) : there
}

/** Builtins that have an output only if a string is found in `.`. */
const MATCHING: ReadonlySet<string> = new Set('match/1 match/2 capture/1 capture/2 scan/1 scan/2'.split(' '))
const FINDING: ReadonlySet<string> = new Set('contains/1 startswith/1 endswith/1 index/1 rindex/1'.split(' '))

function truthyCall(node: NodeOf<'call'>, site: Site): Requirement {
  const key = keyOf(node)
  const [first, second] = node.args
  const { dot } = site
  const inDocument = dot.kind === 'document'
  if (key === 'select/1' || key === 'first/1' || key === 'last/1' || key === 'limit/2') {
    return truthy(key === 'limit/2' ? second! : first!, site)
  }
  if (key === 'empty/0' || key === 'error/0' || key === 'error/1') return NEVER
  if (key === 'any/1') return truthy(first!, site)
  if (key === 'any/2') return both(produced(first!, site), truthy(second!, { ...site, dot: originOf(first!, site) }))
  if (!inDocument) return ANYTHING
  if (key === 'has/1' && isVerbatim(dot)) return textsOf(first!, (text) => containing(text, true))
  if (FINDING.has(key) || key === 'IN/1') return textsOf(first!, (text) => containing(text, false, dot))
  if (MATCHING.has(key) || key === 'test/1' || key === 'test/2') return matched(first!, second, dot)
  return ANYTHING
}

/** What the strings that an expression outputs require, if it outputs only literal strings. */
function textsOf(node: JqNode, ask: (text: string) => Requirement): Requirement {
  if (node.type === 'literal') return typeof node.value === 'string' ? ask(node.value) : ANYTHING
  return node.type === 'comma' ? either(textsOf(node.left, ask), textsOf(node.right, ask)) : ANYTHING
}

function matched(pattern: JqNode, flags: JqNode | undefined, manner: Manner): Requirement {
  const letters = flags === undefined ? null : flags.type === 'literal' ? flags.value : undefined
  if (pattern.type !== 'literal' || typeof pattern.value !== 'string') return ANYTHING
  if (letters !== null && typeof letters !== 'string') return ANYTHING
  try {
    return containingMatch(parseOnig(pattern.value, letters ?? '').node, manner)
  } catch (error) {
    if (error instanceof TermError) return ANYTHING
    throw error
  }
}
