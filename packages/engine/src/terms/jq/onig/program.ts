import { LimitReached } from '../budget.js'
import type { Anchor, CharacterSet, OnigNode, OnigPattern } from './node.js'

/** Moves on from a position, or gives -1. */
type Step = (text: string, at: number, slots: readonly number[], searchStart: number) => number

export interface Program {
  readonly code: readonly Instruction[]
  /** Two for the match, two for each group, one for each loop. */
  readonly slots: number
}

export type Instruction =
  | { readonly op: 'match' }
  | { readonly op: 'step'; readonly step: Step }
  | { readonly op: 'split'; first: number; other: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'progress'; readonly slot: number; exit: number }
  | { readonly op: 'atomic'; readonly program: Program }
  | {
      readonly op: 'look'
      readonly program: Program
      readonly ahead: boolean
      readonly negative: boolean
      /** For looking behind: the fewest and the most code points. */
      readonly widths: Widths
    }

interface Widths {
  readonly min: number
  readonly max: number
}

interface Building {
  code: Instruction[]
  readonly counter: { slots: number }
}

// Copies of what is repeated a number of times; beyond this the pattern is too much for an evaluation.
const MAX_INSTRUCTIONS = 50_000

/** Compiles a pattern for the backtracking matcher. */
export function compileOnig({ node, names }: OnigPattern): Program {
  const building: Building = { code: [], counter: { slots: 2 + 2 * names.length } }
  emit(building, node)
  building.code.push({ op: 'match' })
  return finish(building)
}

function finish(building: Building): Program {
  const { code, counter } = building
  return {
    code,
    get slots() {
      return counter.slots
    },
  }
}

function subProgram(building: Building, node: OnigNode): Program {
  const inner: Building = { code: [], counter: building.counter }
  emit(inner, node)
  inner.code.push({ op: 'match' })
  return finish(inner)
}

function emit(building: Building, node: OnigNode): void {
  const { code } = building
  if (code.length > MAX_INSTRUCTIONS) throw new LimitReached('bytes')
  switch (node.type) {
    case 'empty':
      return
    case 'text':
      for (const c of node.text) code.push({ op: 'step', step: oneCharacter(c, node.fold) })
      return
    case 'set':
      code.push({ op: 'step', step: oneOf(setPattern(node.set, node.fold)) })
      return
    case 'any':
      code.push({ op: 'step', step: oneOf(node.newline ? /^[\s\S]$/u : /^[^\n]$/u) })
      return
    case 'anchor':
      code.push({ op: 'step', step: ANCHORS[node.anchor] })
      return
    case 'sequence':
      for (const item of node.items) emit(building, item)
      return
    case 'either':
      emitEither(building, node.items)
      return
    case 'repeat':
      emitRepeat(building, node)
      return
    case 'group':
      code.push({ op: 'save', slot: 2 * node.index })
      emit(building, node.body)
      code.push({ op: 'save', slot: 2 * node.index + 1 })
      return
    case 'atomic':
      code.push({ op: 'atomic', program: subProgram(building, node.body) })
      return
    case 'look':
      code.push({
        op: 'look',
        program: subProgram(building, node.body),
        ahead: node.ahead,
        negative: node.negative,
        widths: node.ahead ? { min: 0, max: 0 } : widthsOf(node.body),
      })
      return
    case 'reference':
      code.push({ op: 'step', step: reference(node.groups, node.fold) })
      return
    case 'keep':
      code.push({ op: 'save', slot: 0 })
  }
}

function emitEither(building: Building, items: readonly OnigNode[]): void {
  const jumps: { to: number }[] = []
  for (const [i, item] of items.entries()) {
    const { code } = building
    const split = { op: 'split' as const, first: code.length + 1, other: -1 }
    const isLast = i === items.length - 1
    if (!isLast) code.push(split)
    emit(building, item)
    if (isLast) break
    const jump = { op: 'jump' as const, to: -1 }
    code.push(jump)
    jumps.push(jump)
    split.other = code.length
  }
  for (const jump of jumps) jump.to = building.code.length
}

function emitRepeat(building: Building, node: Extract<OnigNode, { type: 'repeat' }>): void {
  const { body, min, max, mode } = node
  if (mode === 'possessive') {
    building.code.push({ op: 'atomic', program: subProgram(building, { ...node, mode: 'greedy' }) })
    return
  }
  for (let i = 0; i < min; i++) emit(building, body)
  if (max === Number.POSITIVE_INFINITY) {
    emitLoop(building, body, mode)
    return
  }
  const splits: { first: number; other: number }[] = []
  for (let i = min; i < max; i++) {
    splits.push(choose(building, mode))
    emit(building, body)
  }
  for (const split of splits) leaveTo(split, building.code.length, mode)
}

function emitLoop(building: Building, body: OnigNode, mode: 'greedy' | 'lazy'): void {
  const slot = building.counter.slots++
  const start = building.code.length
  const split = choose(building, mode)
  building.code.push({ op: 'save', slot })
  emit(building, body)
  const progress = { op: 'progress' as const, slot, exit: -1 }
  building.code.push(progress, { op: 'jump', to: start })
  leaveTo(split, building.code.length, mode)
  progress.exit = building.code.length
}

/** A split that goes on with the next instruction, first or last. Its other end is set by `leaveTo`. */
function choose({ code }: Building, mode: 'greedy' | 'lazy'): { first: number; other: number } {
  const next = code.length + 1
  const split = { op: 'split' as const, first: mode === 'greedy' ? next : -1, other: mode === 'greedy' ? -1 : next }
  code.push(split)
  return split
}

function leaveTo(split: { first: number; other: number }, to: number, mode: 'greedy' | 'lazy'): void {
  if (mode === 'greedy') split.other = to
  else split.first = to
}

function setPattern({ js, negated, outside = [] }: CharacterSet, fold: boolean): RegExp {
  const others = outside.map((set) => `[^${set.js}]`).join('')
  return new RegExp(`^[${negated ? '^' : ''}${js}${others}]$`, fold ? 'iv' : 'v')
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function oneOf(pattern: RegExp): Step {
  return (text, at) => {
    const c = characterAt(text, at)
    return c !== '' && pattern.test(c) ? at + c.length : -1
  }
}

function oneCharacter(c: string, fold: boolean): Step {
  if (!fold || c.toLowerCase() === c.toUpperCase()) return (text, at) => (text.startsWith(c, at) ? at + c.length : -1)
  return oneOf(new RegExp(`^\\u{${c.codePointAt(0)!.toString(16)}}$`, 'iu'))
}

/** A reference that means several groups takes the last of them that has matched. */
function reference(groups: readonly number[], fold: boolean): Step {
  return (text, at, slots) => {
    const group = groups.findLast((index) => slots[2 * index + 1]! >= 0)
    if (group === undefined) return -1
    const wanted = text.slice(slots[2 * group], slots[2 * group + 1])
    const found = text.slice(at, at + wanted.length)
    const same = found === wanted || (fold && found.toLowerCase() === wanted.toLowerCase())
    return same ? at + wanted.length : -1
  }
}

const WORD = /^[\p{L}\p{M}\p{Nd}\p{Pc}]$/u

function isWord(text: string, at: number): boolean {
  const low = (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at
  return at >= 0 && WORD.test(characterAt(text, low))
}

const at = (holds: (text: string, at: number, searchStart: number) => boolean): Step => {
  return (text, position, _, searchStart) => (holds(text, position, searchStart) ? position : -1)
}

const ANCHORS: Readonly<Record<Anchor, Step>> = {
  start: at((_, position) => position === 0),
  end: at((text, position) => position === text.length),
  'semi-end': at(
    (text, position) => position === text.length || (position === text.length - 1 && text[position] === '\n'),
  ),
  'line-start': at((text, position) => position === 0 || (text[position - 1] === '\n' && position < text.length)),
  'line-end': at((text, position) => position === text.length || text[position] === '\n'),
  'word-edge': at((text, position) => isWord(text, position - 1) !== isWord(text, position)),
  'no-word-edge': at((text, position) => isWord(text, position - 1) === isWord(text, position)),
  'search-start': at((_, position, searchStart) => position === searchStart),
}

/** How many code points a part can take. */
function widthsOf(node: OnigNode): Widths {
  switch (node.type) {
    case 'text': {
      const length = Array.from(node.text).length
      return { min: length, max: length }
    }
    case 'set':
    case 'any':
      return { min: 1, max: 1 }
    case 'sequence':
      return node.items.map(widthsOf).reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max }))
    case 'either':
      return node.items.map(widthsOf).reduce((a, b) => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }))
    case 'repeat': {
      const { min, max } = widthsOf(node.body)
      return { min: min * node.min, max: max === 0 ? 0 : max * node.max }
    }
    case 'group':
    case 'atomic':
      return widthsOf(node.body)
    case 'reference':
      return { min: 0, max: Number.POSITIVE_INFINITY }
    default:
      return { min: 0, max: 0 }
  }
}
