import type { BinaryOperator } from '../parse/ast.js'
import { compare } from '../values/compare.js'
import type { Value } from '../values/value.js'
import { type Code, computing } from './code.js'

type Test = (value: Value) => boolean

const MIRRORED: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/**
 * A comparison with a constant, the most common condition, without the general comparison. `undefined`
 * for anything else.
 */
export function compileComparison(operator: BinaryOperator, left: Code, right: Code): Code | undefined {
  const mirrored = MIRRORED[operator]
  if (mirrored === undefined) return undefined
  if (right.constant !== undefined && left.one !== undefined) return testing(left.one, operator, right.constant)
  if (left.constant !== undefined && right.one !== undefined) return testing(right.one, mirrored, left.constant)
  return undefined
}

function testing(one: NonNullable<Code['one']>, operator: BinaryOperator, constant: Value): Code | undefined {
  const test = testFor(operator, constant)
  if (test === undefined) return undefined
  return computing((input, frame) => {
    const value = one(input, frame)
    return value === undefined ? undefined : test(value)
  })
}

function testFor(operator: BinaryOperator, constant: Value): Test | undefined {
  if (constant === null || typeof constant === 'string' || typeof constant === 'boolean') {
    if (operator === '==') return (value) => value === constant
    if (operator === '!=') return (value) => value !== constant
    return undefined
  }
  if (typeof constant !== 'number' || Number.isNaN(constant)) return undefined
  return NUMBER_TESTS[operator]?.(constant)
}

/**
 * Raised when a double equals a constant, because the number may have been written with more digits than a double holds:
 * `500.00000000000000001 > 500`. Then the filter runs again with the numbers as they are written. See `filter.ts`.
 */
export const doubt = { raised: false }

function equal(value: number, constant: number): boolean {
  if (value !== constant) return false
  doubt.raised = true
  return true
}

/** Compares with a number. Values that are not doubles are compared by the general comparison. */
const NUMBER_TESTS: Readonly<Partial<Record<BinaryOperator, (constant: number) => Test>>> = {
  '==': (c) => (value) => (typeof value === 'number' ? equal(value, c) : compare(value, c) === 0),
  '!=': (c) => (value) => (typeof value === 'number' ? !equal(value, c) : compare(value, c) !== 0),
  '<': (c) => (value) => (typeof value === 'number' ? !(value > c || equal(value, c)) : compare(value, c) < 0),
  '<=': (c) => (value) => (typeof value === 'number' ? equal(value, c) || !(value > c) : compare(value, c) <= 0),
  '>': (c) => (value) => (typeof value === 'number' ? !equal(value, c) && value > c : compare(value, c) > 0),
  '>=': (c) => (value) => (typeof value === 'number' ? equal(value, c) || value > c : compare(value, c) >= 0),
}
