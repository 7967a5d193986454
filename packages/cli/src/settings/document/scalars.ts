import { checkTimestamp, checkZone, type ScalarNode, scalarValue } from '@omen/engine'
import { nearest, quote } from '@omen/engine/messages'
import { readDuration } from './duration.js'
import type { ScalarShape } from './shape.js'

/** A value, or an error message that continues after the name of the key. */
export type ScalarResult<T = unknown> = { readonly value: T } | { readonly error: string }

export interface ScalarContext {
  /** Makes a path absolute. */
  resolve(path: string): string
}

type Read<S extends ScalarShape> = (node: ScalarNode, shape: S, context: ScalarContext) => unknown

/** Thrown by a reader that has a more specific message than "must be …". */
class InvalidScalar extends Error {}

/** The name of a shape in messages. */
export function describeShape(shape: ScalarShape): string {
  switch (shape.is) {
    case 'integer':
      return `a whole number from ${shape.from} to ${shape.to.toLocaleString('en')}`
    case 'choice':
      return `one of ${shape.of.join(', ')}`
    default:
      return WANTED[shape.is]
  }
}

const WANTED: Readonly<Record<Exclude<ScalarShape['is'], 'integer' | 'choice'>, string>> = {
  text: 'a string in one line',
  prose: 'a string',
  boolean: 'true or false',
  duration: 'a duration such as 5s, 10m or 1h30m',
  path: 'a path',
  'path-pattern': 'a path, with * as a wildcard',
  url: 'a URL that starts with https:// or http://',
  version: 'a version such as 1.4.0',
  'time-pattern': 'a regular expression',
  'time-format': 'a format such as 2006-01-02 15:04:05, or a name such as rfc3339',
  zone: 'a time zone such as Europe/Berlin, an offset such as +02:00, UTC or local',
  'public-key': 'a public key in PEM, or the path of a file that contains one',
}

/** The reader of each shape. Returns undefined for a value that does not fit, or throws `InvalidScalar` with a message. */
const READERS: { readonly [S in ScalarShape as S['is']]: Read<Extract<ScalarShape, { is: S['is'] }>> } = {
  text: ({ text }) => (isLine(text) ? text : undefined),
  prose: ({ text }) => text,
  boolean: (node) => {
    const value = scalarValue(node)
    return typeof value === 'boolean' ? value : undefined
  },
  integer: (node, { from, to }) => {
    const value = scalarValue(node)
    return typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to ? value : undefined
  },
  duration: ({ text }) => durationOf(text),
  choice: ({ text }, { of }) => of.find((choice) => choice === text) ?? rejectChoice(text, of),
  path: ({ text }, _, { resolve }) => (isLine(text) ? resolve(text) : undefined),
  'path-pattern': ({ text }, _, { resolve }) => (text === '-' ? text : isLine(text) ? resolve(text) : undefined),
  url: ({ text }) => (isWebAddress(text) ? text : undefined),
  version: ({ text }) => VERSION.exec(text)?.[1],
  'time-pattern': ({ text }) => checked(text, { regex: text, format: 'rfc3339' }),
  'time-format': ({ text }) => checked(text, { regex: '.', format: text }),
  zone: ({ text }) => checkedZone(text),
  'public-key': ({ text }, _, { resolve }) => publicKeyOf(text, resolve),
}

const VERSION = /^v?(\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][0-9A-Za-z.+-]{1,80})?)$/

/**
 * Reads a scalar of a shape.
 *
 * @example
 * readScalar(node, { is: 'integer', from: 1, to: 100 }, context) // { error: 'must be a whole number …, not the string "many"' }
 */
export function readScalar(
  node: ScalarNode,
  shape: ScalarShape,
  context: ScalarContext,
  { secret = false } = {},
): ScalarResult {
  const read = READERS[shape.is] as Read<ScalarShape>
  try {
    const value = read(node, shape, context)
    if (value !== undefined) return { value }
  } catch (error) {
    if (!(error instanceof InvalidScalar)) throw error
    return { error: error.message }
  }
  return { error: `must be ${describeShape(shape)}${secret ? '' : `, not ${describeScalar(node)}`}` }
}

/** Describes a value for a message. */
export function describeScalar(node: ScalarNode): string {
  const value = scalarValue(node)
  if (value === null) return 'nothing'
  if (value === '') return 'an empty string'
  if (isAddress(node.text)) return 'a URL'
  return typeof value === 'string' ? `the string ${quote(value)}` : quote(node.text).slice(1, -1)
}

/** A URL in the wrong place may be a webhook, which is a secret. */
function isAddress(text: string): boolean {
  return text.includes('://')
}

/** Whether the string is not empty and has no control characters or line breaks. */
function isLine(text: string): boolean {
  return text.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text)
}

function durationOf(text: string): bigint | undefined {
  if (text === 'off') return 0n
  if (/^\d{1,18}$/.test(text) && Number(text) !== 0) {
    throw new InvalidScalar(`has no unit: write ${text}s for seconds, ${text}m for minutes`)
  }
  try {
    const duration = readDuration(text)
    return duration >= 0n ? duration : undefined
  } catch {
    return undefined
  }
}

function rejectChoice(text: string, choices: readonly string[]): undefined {
  if (isAddress(text)) return undefined
  const meant = nearest(text, choices)
  const hint = meant === undefined ? '' : `: did you mean ${quote(meant)}?`
  throw new InvalidScalar(`must be one of ${choices.join(', ')}, not ${quote(text)}${hint}`)
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && !/[\s\p{Cc}]/u.test(text) && URL.canParse(text)
}

/** The engine repeats a pattern in its messages, so it must not be too long. */
const LONGEST_PATTERN = 4096

function checked(text: string, timestamp: { regex: string; format: string }): string {
  if (text.length > LONGEST_PATTERN) throw new InvalidScalar(`is longer than ${LONGEST_PATTERN} characters`)
  try {
    checkTimestamp(timestamp)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new InvalidScalar(`cannot be used: ${reason.split('cannot be used: ').at(-1)}`)
  }
  return text
}

function checkedZone(text: string): string | undefined {
  if (text === 'local') return text
  try {
    checkZone(text)
    return text
  } catch (error) {
    if (!isLine(text)) return undefined
    throw new InvalidScalar(`cannot be used: ${(error as Error).message}`)
  }
}

function publicKeyOf(text: string, resolve: (path: string) => string): string | undefined {
  if (text.includes('PRIVATE KEY-----')) throw new InvalidScalar('is a private key: use the public key')
  if (text.includes('-----BEGIN PUBLIC KEY-----')) {
    if (text.includes('-----END PUBLIC KEY-----')) return text
    throw new InvalidScalar('is incomplete: -----END PUBLIC KEY----- is missing')
  }
  return isLine(text) && !text.includes('-----BEGIN') ? resolve(text) : undefined
}
