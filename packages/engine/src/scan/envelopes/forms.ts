import type { Alternative, Needle } from '../../terms/condition.js'
import { BYTES_OF_JOURNALD } from './json.js'
import { divideAtSeverity } from './postgresql.js'

// The filter searches the texts of entries as they are written. A message inside may be written differently there: this
// file says how, so that what a condition requires is also found in a message.
//
// - In most envelopes a message is a part of the text.
// - A prefix before every line is between two lines of the message.
// - In PostgreSQL's csvlog and jsonlog the severity is in another field than the message, and CSV doubles quotes.
// - In JSON, quotes, backslashes and control characters are escaped, once for each JSON string around the message.
// - All other differences are announced by a string in the text, a mark. An entry that contains one is searched again,
//   with its JSON strings decoded.
//
// Escapes and most marks contain a backslash. A log without any is not searched for them, which is faster.

/** JSON strings inside each other whose escapes are searched for. Deeper ones contain four backslashes, which is a mark. */
const DEEPEST = 2

/**
 * How the needles of an alternative are written in a text if they are in a message inside it and are written differently
 * there. None of the results is exact: the same strings may be elsewhere in the text. One without needles says that they may
 * be written in any way. Escapes are left out if `escapes` is false.
 *
 * @example
 * formsOf({ needles: [{ text: 'user "root"', fold: false }], gaps: [0], exact: true }, true)
 * // needles `user ""root""`, `user \"root\"`, and in JSON within JSON `user \\\"root\\\"`; …
 */
export function formsOf(alternative: Alternative, escapes: boolean): Alternative[] {
  const lines = splitIntoLines(alternative)
  const fields = splitIntoFields(lines)
  const columns = writeNeedles(fields, /"/, (text) => text.replaceAll('"', '""'))
  const forms = new Set([alternative, lines, fields, columns])
  if (escapes) {
    for (const form of [lines, fields, columns]) for (const escaped of escapedForms(form)) forms.add(escaped)
  }
  forms.delete(alternative)
  return [...forms]
}

/** Replaces each needle of several lines by its lines. The result has no needles if they consist of line feeds. */
function splitIntoLines(alternative: Alternative): Alternative {
  if (!alternative.needles.some(({ text }) => text.includes('\n'))) return alternative
  return splitNeedles(alternative, (text) => text.split('\n'))
}

/** Divides needles that are partly in the severity. The result has no needles if they consist of what is between the fields. */
function splitIntoFields(alternative: Alternative): Alternative {
  const { needles } = alternative
  const fields = divideAtSeverity(needles)
  if (fields.every(([field], index) => field === needles[index]!.text)) return alternative
  return splitNeedles(alternative, (_, index) => fields[index]!)
}

/** Replaces each needle by the parts of it that are not empty. */
function splitNeedles(
  { needles, gaps }: Alternative,
  split: (text: string, index: number) => readonly string[],
): Alternative {
  const parts: Needle[] = []
  const between: number[] = []
  needles.forEach(({ text, fold }, index) => {
    let gap = gaps[index]!
    for (const part of split(text, index)) {
      if (part !== '') {
        between.push(parts.length === 0 ? 0 : gap)
        parts.push({ text: part, fold })
      }
      gap = 0
    }
  })
  return { needles: parts, gaps: between, exact: false }
}

/** Writes needles in another way; returns the same alternative if that changes none of them. */
function writeNeedles(alternative: Alternative, changed: RegExp, write: (text: string) => string): Alternative {
  const { needles, gaps } = alternative
  if (!needles.some(({ text }) => changed.test(text))) return alternative
  return { needles: needles.map(({ text, fold }) => ({ text: write(text), fold })), gaps, exact: false }
}

const ESCAPED_IN_JSON = /["\\\b\t\n\f\r]/

function* escapedForms(alternative: Alternative): Generator<Alternative> {
  let form = alternative
  for (let depth = 0; depth < DEEPEST; depth++) {
    form = writeNeedles(form, ESCAPED_IN_JSON, escapeInJson)
    yield form
  }
}

function escapeInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/**
 * Strings in the text of an entry that announce a message whose bytes are neither those of the text nor of a form: escapes
 * that encoders write in several ways, and deep nesting.
 */
export const ESCAPE_MARKS: readonly string[] = ['\\u', '\\/', '\\'.repeat(4)]

/** The same for messages as arrays of bytes. The escaped ones are searched for only if `escapes` is true. */
export function bytesMarks(escapes: boolean): readonly string[] {
  const inJson = escapeInJson(BYTES_OF_JOURNALD)
  return escapes ? [BYTES_OF_JOURNALD, inJson, escapeInJson(inJson)] : [BYTES_OF_JOURNALD]
}
