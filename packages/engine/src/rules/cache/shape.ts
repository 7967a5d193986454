import { RulesError } from '../error.js'

/** The error for a compiled form that is not what `exportRules` writes. */
export function broken(what: string): RulesError {
  const message = `the compiled rules cannot be used: ${what}`
  return new RulesError([{ code: 'cache-broken', file: '', line: 0, column: 0, message }])
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function list(value: unknown, least = 0): readonly unknown[] {
  if (Array.isArray(value) && value.length >= least) return value
  throw broken('a list is missing')
}

export function object(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value
  throw broken('a record is missing')
}

export function text(value: unknown, least = 0): string {
  if (typeof value === 'string' && value.length >= least) return value
  throw broken('a text is missing')
}

export function flag(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw broken('a truth value is missing')
}

export function wholeNumber(value: unknown, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number
  throw broken('a whole number is missing')
}

/** A number that counts into a list. */
export function index(value: unknown, length: number): number {
  const number = wholeNumber(value, 0)
  if (number < length) return number
  throw broken('a reference to nothing')
}

const DURATION = /^-?[0-9]{1,19}$/

/** Nanoseconds, written in decimal because JSON has no such integers. */
export function duration(value: unknown): bigint {
  if (value === '0') return 0n
  if (typeof value === 'string' && DURATION.test(value)) return BigInt(value)
  throw broken('a duration is missing')
}
