import fc from 'fast-check'

/** Pieces that overlap, nest, differ in case only, or have several bytes. Log lines and conditions use the same pieces. */
const PIECES = [
  'error',
  'err',
  'Error',
  'ERROR',
  'rror',
  'disk',
  'DISK',
  'dis\u212a',
  'task',
  'ta\u017fk',
  'k',
  's',
  'a',
  'aa',
  'aaa',
  'ab',
  'ba',
  'connection refused',
  'connection',
  'refused',
  'ünï',
  'ÜNÏ',
  '日本',
  '本語',
  '502',
  '503',
  '50',
  '\t',
  ' ',
  '"',
  '\\',
  '{',
  '}',
  ':',
  '.',
]

const piece = fc.constantFrom(...PIECES)

/** The text of a line. */
export const randomText = fc
  .array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string({ maxLength: 3 })), { maxLength: 8 })
  .map((parts) => parts.join('').replace(/[\r\n\u0085\u2028\u2029\ufeff]/g, '_'))

const literal = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))

const escaped = literal.map((text) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&'))

/** Patterns of the kinds that users write: alternatives, sequences, case-insensitive ones, classes, anchors, and some without a required literal. */
const pattern = fc.oneof(
  escaped,
  fc.array(escaped, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('|')),
  fc
    .tuple(escaped, fc.constantFrom('.*', '.+', '(.+)', '(?:.*)', '\\s+', '.?'), escaped)
    .map((parts) => parts.join('')),
  fc.tuple(escaped, escaped, escaped).map(([a, b, c]) => `(${a}|${b}).*${c}`),
  escaped.map((text) => `(?i)${text}`),
  fc.tuple(escaped, escaped).map(([a, b]) => `(?i)(${a}.*${b}|${b})`),
  escaped.map((text) => `^.*${text}$`),
  escaped.map((text) => `\\b${text}\\b`),
  fc.constantFrom('a+$', '[^\\t]+\\t[^\\t]+', '\\d{3}', '(a|aa)+$', '(?i)[ks]', '.*'),
)

/** A condition as it is written in a document. */
export const randomCondition = fc.oneof(
  literal.map((text) => ({ value: text })),
  pattern.map((text) => ({ regex: text })),
)

/** A rule document of one-condition sets, sets and sequences, as JSON, which is YAML. */
export const randomDocument = fc
  .array(
    fc.record({
      kind: fc.constantFrom('one', 'set', 'sequence'),
      conditions: fc.array(randomCondition, { minLength: 2, maxLength: 3 }),
      negate: fc.option(randomCondition, { nil: undefined, freq: 3 }),
      window: fc.integer({ min: 1, max: 6 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((rules) =>
    rules.map(({ kind, conditions, negate, window }, index) => {
      const event = { source: 'cre.log.test' }
      const also = negate === undefined ? {} : { negate: [{ ...negate, window: '2s' }] }
      const rule = {
        one: { set: { event, match: conditions.slice(0, 1), ...also } },
        set: { set: { event, window: `${window}s`, match: conditions, ...also } },
        sequence: { sequence: { event, window: `${window}s`, order: conditions, ...also } },
      }[kind as 'one']
      return { cre: { id: `CRE-2026-${4000 + index}` }, rule }
    }),
  )

interface RandomLine {
  readonly seconds: number
  readonly text: string
  readonly folded: readonly string[]
}

const NO_TIME = (text: string) => `  ${text.replace(/\d/g, '#')}`

/** A log of RFC 3339 lines with the same pieces, with folded lines and times that sometimes go backwards. */
export const randomLog = fc
  .array(
    fc.record<RandomLine>({
      seconds: fc.integer({ min: -2, max: 3 }),
      text: randomText,
      folded: fc.array(randomText.map(NO_TIME), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((lines) => {
    let time = Date.UTC(2026, 2, 1, 12)
    return lines.map(({ seconds, text, folded }) => {
      time += seconds * 1000
      return { timestamp: BigInt(time) * 1_000_000n, text: [text, ...folded].join('\n') }
    })
  })

/** Encodes such a log. */
export function writeLog(entries: readonly { readonly timestamp: bigint; readonly text: string }[]): Uint8Array {
  const lines = entries.map(
    ({ timestamp, text }) => `${new Date(Number(timestamp / 1_000_000n)).toISOString()} ${text}\n`,
  )
  return new TextEncoder().encode(lines.join(''))
}

/** Where to cut data of a given length: sorted random positions. */
export const randomCuts = fc.array(fc.nat(100_000), { maxLength: 6 })

/** Cuts data at positions, modulo its length. */
export function cutAt(data: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = places.map((place) => place % (data.length + 1)).sort((a, b) => a - b)
  const bounds = [0, ...sorted, data.length]
  return bounds.slice(1).map((end, index) => data.subarray(bounds[index], end))
}
