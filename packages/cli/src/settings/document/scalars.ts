import { checkTimestamp, type ScalarNode, scalarValue } from '@omen/engine'
import { nearest, quote } from '@omen/engine/messages'
import { readDuration } from './duration.js'
import type { ScalarShape } from './shape.js'

/** A value that fits, or what is wrong with it: the words that follow the name of the key. */
export type Reading<T = unknown> = { readonly value: T } | { readonly wrong: string }

export interface ScalarContext {
  /** Makes a path absolute. */
  resolve(path: string): string
}

type Read<S extends ScalarShape> = (node: ScalarNode, shape: S, context: ScalarContext) => unknown

/** Raised with what is wrong, where a reader knows more than what it wanted. */
class Misfit extends Error {}

/** What each shape is called in messages. */
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
  text: 'a text in one line',
  prose: 'a text',
  boolean: 'true or false',
  duration: 'a duration such as 5s, 10m or 1h30m',
  path: 'a path',
  'path-pattern': 'a path, with * where anything may stand',
  url: 'a URL that starts with https:// or http://',
  version: 'a version such as 1.4.0',
  'time-pattern': 'a regular expression',
  'time-format': 'a layout such as 2006-01-02 15:04:05, or a name such as rfc3339',
  'public-key': 'a public key in PEM, or the path of a file with one',
}

/** Reads what stands at a key. The result is undefined where it does not fit the shape, without more to say about it. */
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
  choice: ({ text }, { of }) => of.find((choice) => choice === text) ?? misfitChoice(text, of),
  path: ({ text }, _, { resolve }) => (isLine(text) ? resolve(text) : undefined),
  'path-pattern': ({ text }, _, { resolve }) => (text === '-' ? text : isLine(text) ? resolve(text) : undefined),
  url: ({ text }) => (isWebAddress(text) ? text : undefined),
  version: ({ text }) => VERSION.exec(text)?.[1],
  'time-pattern': ({ text }) => checked(text, { regex: text, format: 'rfc3339' }),
  'time-format': ({ text }) => checked(text, { regex: '.', format: text }),
  'public-key': ({ text }, _, { resolve }) => publicKeyOf(text, resolve),
}

const VERSION = /^v?(\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][0-9A-Za-z.+-]{1,80})?)$/

/**
 * Reads a scalar as a shape says.
 *
 * @example
 * readScalar(node, { is: 'integer', from: 1, to: 100 }, context) // { wrong: 'is a whole number …, not the text "many"' }
 */
export function readScalar(
  node: ScalarNode,
  shape: ScalarShape,
  context: ScalarContext,
  { secret = false } = {},
): Reading {
  const read = READERS[shape.is] as Read<ScalarShape>
  try {
    const value = read(node, shape, context)
    if (value !== undefined) return { value }
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
    return { wrong: error.message }
  }
  return { wrong: `is ${describeShape(shape)}${secret ? '' : `, not ${describeScalar(node)}`}` }
}

/** What stands there, for a message. */
export function describeScalar(node: ScalarNode): string {
  const value = scalarValue(node)
  if (value === null) return 'nothing'
  if (value === '') return 'an empty text'
  if (isAddress(node.text)) return 'a URL'
  return typeof value === 'string' ? `the text ${quote(value)}` : quote(node.text).slice(1, -1)
}

/** A URL in the wrong place may be a webhook, and a webhook is a secret. */
function isAddress(text: string): boolean {
  return text.includes('://')
}

/** Something, and nothing that would break a line or move a cursor. */
function isLine(text: string): boolean {
  return text.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text)
}

function durationOf(text: string): bigint | undefined {
  if (text === 'off') return 0n
  if (/^\d{1,18}$/.test(text) && Number(text) !== 0) {
    throw new Misfit(`has no unit: write ${text}s for seconds, ${text}m for minutes`)
  }
  try {
    const duration = readDuration(text)
    return duration >= 0n ? duration : undefined
  } catch {
    return undefined
  }
}

function misfitChoice(text: string, choices: readonly string[]): undefined {
  if (isAddress(text)) return undefined
  const meant = nearest(text, choices)
  const hint = meant === undefined ? '' : `: did you mean ${quote(meant)}?`
  throw new Misfit(`is one of ${choices.join(', ')}, not ${quote(text)}${hint}`)
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && !/[\s\p{Cc}]/u.test(text) && URL.canParse(text)
}

/** Longer ones are not written by people; the engine's messages repeat them. */
const LONGEST_PATTERN = 4096

function checked(text: string, timestamp: { regex: string; format: string }): string {
  if (text.length > LONGEST_PATTERN) throw new Misfit(`is longer than ${LONGEST_PATTERN} characters`)
  try {
    checkTimestamp(timestamp)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Misfit(`cannot be used: ${reason.split('cannot be used: ').at(-1)}`)
  }
  return text
}

function publicKeyOf(text: string, resolve: (path: string) => string): string | undefined {
  if (text.includes('PRIVATE KEY-----')) throw new Misfit('is a private key: put the public one there')
  if (text.includes('-----BEGIN PUBLIC KEY-----')) {
    if (text.includes('-----END PUBLIC KEY-----')) return text
    throw new Misfit('is cut off: it ends with -----END PUBLIC KEY-----')
  }
  return isLine(text) && !text.includes('-----BEGIN') ? resolve(text) : undefined
}
