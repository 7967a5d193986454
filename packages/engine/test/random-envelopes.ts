import fc from 'fast-check'

/** Writes a character of a JSON string as an escape, or returns undefined to write it as most encoders do. */
type Escape = (character: string) => string | undefined

const unicode = (character: string, digits = (hex: string) => hex) =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${digits(character.charCodeAt(i).toString(16).padStart(4, '0'))}`,
  ).join('')

const upper = (hex: string) => hex.toUpperCase()

/** How encoders write strings. */
const ENCODERS: Readonly<Record<string, Escape>> = {
  javascript: () => undefined,
  // Escapes what HTML treats specially.
  go: (character) => ('<>&\u2028'.includes(character) ? unicode(character) : undefined),
  // Escapes slashes, and everything that is not ASCII.
  php: (character) => (character === '/' ? '\\/' : character > '~' ? unicode(character) : undefined),
  dotnet: (character) => (`"'<>&+\``.includes(character) || character > '~' ? unicode(character, upper) : undefined),
  all: (character) => unicode(character),
}

/** Writes a string as JSON in the manner of an encoder. */
function encodeString(text: string, write: Escape): string {
  return `"${[...text].map((character) => write(character) ?? JSON.stringify(character).slice(1, -1)).join('')}"`
}

const encoder = fc.constantFrom(...Object.values(ENCODERS))

const KEYS = ['message', 'msg', 'log', 'MESSAGE', 'textPayload', 'body', 'other']

/** An object with the text in one of its fields, and others before and after it. */
const jsonObject = fc
  .record({
    key: fc.constantFrom(...KEYS),
    nested: fc.constantFrom('', '', 'jsonPayload', 'fields', 'event'),
    encoder,
    spaced: fc.boolean(),
    end: fc.constantFrom('', '\n', '\r\n'),
  })
  .map(({ key, nested, encoder, spaced, end }) => (text: string) => {
    const [space, before] = spaced ? [' ', '"level": "error", '] : ['', '"a":{"b":["\\"",{"c":"}"}]},']
    const object = `{${before}"${key}"${space}:${space}${encodeString(text + end, encoder)},"z":1}`
    return nested === '' ? object : `{"level":"error","${nested}":${object}}`
  })

const everyLine = (prefix: string) => (text: string) =>
  text
    .split('\n')
    .map((line) => prefix + line)
    .join('\n')

/** A line of PostgreSQL's csvlog with severity ERROR. */
export const csvlog = (text: string) =>
  `2026-03-01 12:00:01.123 UTC,"a","b",7,"h:1",69a42f31.8a3,1,"x ""y""",2026-03-01 12:00:01 UTC,3/17,0,ERROR,XX000,"${text.replaceAll('"', '""')}",,,,,,,,,""`

/** A line of PostgreSQL's jsonlog with severity FATAL. */
export const jsonlog = (text: string) =>
  JSON.stringify({
    timestamp: '2026-03-01 12:00:01.123 UTC',
    error_severity: 'FATAL',
    state_code: '57P03',
    message: text,
  })

const journaldBytes = (text: string) => JSON.stringify({ MESSAGE: [...new TextEncoder().encode(text)], PRIORITY: '3' })

type Wrapping = (text: string) => string

const WRAPPINGS: readonly Wrapping[] = [
  (text) => `Mar  1 12:00:01 db-1 postgres[2211]: ${text}`,
  (text) => `db-1 postgres[2211]: ${text}`,
  (text) => `<28>1 2026-03-01T12:00:01Z db-1 postgres 2211 - [x a="\\"\\]\\\\"] \ufeff${text}`,
  (text) => `2026-03-01T12:00:01Z ${text}`,
  everyLine('db-1  | '),
  everyLine('[pod/db-0/postgres] '),
  everyLine('shop-db-7d9c5b8f6d-x2k4z postgres '),
  csvlog,
  jsonlog,
  journaldBytes,
]

/** Changes that make an envelope something else. */
const DAMAGES: readonly Wrapping[] = [
  (text) => text.slice(0, -3),
  (text) => text.slice(2),
  (text) => text.replace('"', ''),
  (text) => text.replace('\\', '\\x'),
]

const wrapping = fc.oneof(
  { weight: 3, arbitrary: jsonObject },
  { weight: 3, arbitrary: fc.constantFrom(...WRAPPINGS) },
  { weight: 1, arbitrary: fc.constantFrom(...DAMAGES) },
)

/** Colours around some words, as inside JSON. */
const coloured = (text: string) => text.replace(/(err|disk|connection)/g, '\u001b[31m$1\u001b[0m')

/** A text in up to five envelopes, some of them damaged. */
export const wrapped = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.boolean(), fc.array(wrapping, { maxLength: 5 }))
    .map(([inner, hasColours, wrappings]) =>
      wrappings.reduce((message, wrap) => wrap(message), hasColours && wrappings.length > 0 ? coloured(inner) : inner),
    )
