import { parseJson } from '../../terms/parse-json.js'
import { decodeText } from '../batch-entry.js'
import { removeEscapes } from '../reading/escapes.js'
import { messageOfJsonlog } from './postgresql.js'

type JsonObject = Readonly<Record<string, unknown>>

/** The fields in which collectors and loggers put the message; the first one that is a string counts. */
const MESSAGE_KEYS = ['message', 'msg', 'log', 'MESSAGE', 'textPayload', 'body'] as const

/** The objects in which these fields may be, if the outer object has none of them. */
const NESTED_KEYS = ['jsonPayload', 'fields', 'event'] as const

/**
 * The message of a JSON object, without a line end and without colour codes; undefined if the text is not an object or has
 * none.
 *
 * @example
 * messageOfJson('{"log":"disk full\\n","stream":"stderr"}') // 'disk full'
 */
export function messageOfJson(text: string): string | undefined {
  const object = parseObject(text)
  if (object === undefined) return undefined
  const message = messageOfJsonlog(object) ?? messageIn(object, text) ?? messageNestedIn(object, text)
  return message === undefined ? undefined : withoutColours(withoutLineEnd(message))
}

/** Whether a text may be a JSON object, decided by its first and last character. */
export function looksLikeObject(text: string): boolean {
  let first = 0
  while (isSpace(text.charCodeAt(first))) first++
  if (text.charCodeAt(first) !== OPENING_BRACE) return false
  let last = text.length - 1
  while (isSpace(text.charCodeAt(last))) last--
  return text.charCodeAt(last) === CLOSING_BRACE
}

const OPENING_BRACE = 123
const CLOSING_BRACE = 125

/** White space in JSON. */
function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}

/**
 * Whether an object may be in a message inside a text. In a JSON string the quotes of an object are escaped, unless it is
 * empty. Much faster than looking for the message.
 */
export function mayHoldObject(text: string): boolean {
  if (text.includes('\\') || !looksLikeObject(text)) return true
  return (text.indexOf('{', 1) > 0 && EMPTY_OBJECT.test(text)) || text.includes('MESSAGE":[')
}

const EMPTY_OBJECT = /\{[ \t\r\n]*\}/

function parseObject(text: string): JsonObject | undefined {
  return looksLikeObject(text) ? (parseJson(text) as JsonObject | undefined) : undefined
}

function messageIn(object: JsonObject, text: string): string | undefined {
  for (const key of MESSAGE_KEYS) {
    const value = object[key]
    if (typeof value === 'string') return value
    if (key === 'MESSAGE' && text.includes(BYTES_OF_JOURNALD) && isBytes(value)) return decodeBytes(value)
  }
  return undefined
}

function messageNestedIn(object: JsonObject, text: string): string | undefined {
  for (const key of NESTED_KEYS) {
    const value = object[key]
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    const message = messageIn(value as JsonObject, text)
    if (message !== undefined) return message
  }
  return undefined
}

/** journald writes a message that is not plain text as an array of its bytes, always without spaces. */
export const BYTES_OF_JOURNALD = '"MESSAGE":['

function isBytes(value: unknown): value is number[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256)
  )
}

function decodeBytes(bytes: readonly number[]): string {
  return decodeText(Uint8Array.from(bytes), 0, bytes.length)
}

const LINE_END = /\r?\n$/

function withoutLineEnd(text: string): string {
  return text.endsWith('\n') ? text.replace(LINE_END, '') : text
}

const ESCAPE = '\u001b'

/** In JSON, colour codes are escaped, so the reader has not seen them. */
function withoutColours(text: string): string {
  if (!text.includes(ESCAPE)) return text
  const bytes = new TextEncoder().encode(text)
  return decodeText(bytes, 0, removeEscapes(bytes, 0, bytes.length))
}
