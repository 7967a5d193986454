import { numberFromText } from './number-text.js'
import { isWellFormed, type ObjectDraft, storedKey, type Value } from './value.js'

const TOKEN =
  /[ \t\r\n]*(?:([[\]{},:])|("(?:[^"\\]|\\[\s\S])*")|([-+]?[.0-9][-+0-9.eE]*)|([-+]?[a-zA-Z][a-zA-Z0-9]*))[ \t\r\n]*/y
const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['null', null],
  ['true', true],
  ['false', false],
])
/** What jq reads beyond JSON, where a filter turns a string into a value. */
const LENIENT_WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...WORDS,
  ...['', '-', '+'].flatMap((sign): [string, Value][] => [
    [`${sign}nan`, Number.NaN],
    [`${sign}NaN`, Number.NaN],
    [`${sign}infinity`, Number(`${sign}Infinity`)],
    [`${sign}Infinity`, Number(`${sign}Infinity`)],
  ]),
])
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const LENIENT_NUMBER = /^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/
const MAX_DEPTH = 10_000

/** A container that is still open, with the key that waits for its value. */
interface Open {
  readonly items: Value[] | null
  readonly fields: ObjectDraft
  key: string
  /** What may come next. */
  expects: 'first' | 'value' | 'key' | 'separator'
}

/**
 * Parses one JSON value with its numbers as they are written and its keys in their order, without recursion. Slower than
 * `JSON.parse`, which does neither. Returns `undefined` when the text is not one JSON value.
 */
export function parseExactly(text: string, lenient = false): Value | undefined {
  const words = lenient ? LENIENT_WORDS : WORDS
  const stack: Open[] = []
  let result: Value | undefined
  TOKEN.lastIndex = 0
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(text)
    const top = stack[stack.length - 1]
    if (match === null || (top === undefined && result !== undefined)) return undefined
    const [, symbol, string, number, word] = match
    let value: Value | undefined
    if (symbol === '[' || symbol === '{') {
      if (!takesValue(top) || stack.length >= MAX_DEPTH) return undefined
      stack.push({ items: symbol === '[' ? [] : null, fields: {}, key: '', expects: 'first' })
      continue
    }
    if (symbol === undefined) {
      if (string !== undefined && takesKey(top)) {
        const key = parseString(string)
        if (key === undefined || !readColon(text)) return undefined
        top!.key = key
        top!.expects = 'value'
        continue
      }
      value =
        string !== undefined
          ? parseString(string)
          : number !== undefined
            ? parseNumber(number, lenient)
            : words.get(word!)
      if (value === undefined || !takesValue(top)) return undefined
    } else if (symbol === ',') {
      if (top?.expects !== 'separator') return undefined
      top.expects = top.items === null ? 'key' : 'value'
      continue
    } else {
      value = closed(top, symbol)
      if (value === undefined) return undefined
      stack.pop()
    }
    const parent = stack[stack.length - 1]
    if (parent === undefined) result = value
    else put(parent, value)
  }
  return stack.length === 0 ? result : undefined
}

function takesValue(top: Open | undefined): boolean {
  return top === undefined || top.expects === 'value' || (top.expects === 'first' && top.items !== null)
}

function takesKey(top: Open | undefined): boolean {
  return top !== undefined && top.items === null && (top.expects === 'first' || top.expects === 'key')
}

function readColon(text: string): boolean {
  if (text[TOKEN.lastIndex] !== ':') return false
  TOKEN.lastIndex++
  return true
}

function closed(top: Open | undefined, symbol: string): Value | undefined {
  if (top === undefined || (top.expects !== 'first' && top.expects !== 'separator')) return undefined
  if (symbol === ']') return top.items ?? undefined
  return symbol === '}' && top.items === null ? top.fields : undefined
}

function put(parent: Open, value: Value): void {
  if (parent.items === null) parent.fields[storedKey(parent.key)] = value
  else parent.items.push(value)
  parent.expects = 'separator'
}

function parseString(quoted: string): string | undefined {
  try {
    const text = JSON.parse(quoted) as string
    // A lone surrogate is an error in jq.
    return isWellFormed(text) ? text : undefined
  } catch {
    return undefined
  }
}

function parseNumber(text: string, lenient: boolean): Value | undefined {
  if (!(lenient ? LENIENT_NUMBER : NUMBER).test(text)) return undefined
  return numberFromText(text.startsWith('+') ? text.slice(1) : text)
}
