import fc from 'fast-check'
import { fromLatin1, latin1 } from './slow-reader.js'

const encoder = new TextEncoder()

const time = fc.integer({ min: 0, max: 1e10 }).map((ms) => new Date(1_765_000_000_000 + ms))

/** Escape sequences of terminals: complete, cut, and such that removing one joins two halves of another. */
export const ESCAPES = [
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[1;38;5;4m',
  '\x1b[2K',
  '\x1b]8;;http://x/\x07',
  '\x1b]8;;\x1b\\',
  '\x1b]0;title',
  '\x1b(B',
  '\x1bM',
  '\x1b',
  '\x1b[3',
  '\x1b\x1b[0m[31m',
  '\x1bP1$r\x1b\\',
  '\x1b[\xff',
]

const words = [
  ...ESCAPES,
  'error',
  'a',
  '',
  ' ',
  '\tat x.Y(Z.java:1)',
  '{"a":1}',
  '\r',
  'é',
  '\u0000',
  '\\',
  '"',
  '2026',
  '12:00',
]
const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom(...words), { maxLength: 5 })
      .map((all) => latin1(encoder.encode(all.join(' ')))),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => latin1(bytes).replaceAll('\n', '')) },
)

const iso = (date: Date) => date.toISOString()
const stream = fc.constantFrom('stdout', 'stderr')

/** Lines of some formats, by the name of the format. Strings have one character per byte. */
export const SHAPES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  rfc3339: fc
    .tuple(time, fc.constantFrom(' ', '  ', '\t', '', ' - '), text)
    .map(([t, gap, s]) => `${iso(t)}${gap}${s}`),
  iso: fc
    .tuple(time, fc.constantFrom(',', '.'), text)
    .map(([t, dot, s]) => `${iso(t).slice(0, 10)} ${iso(t).slice(11, 19)}${dot}123 ${s}`),
  syslog: fc
    .tuple(time, text)
    .map(([t, s]) => `${t.toUTCString().slice(8, 11)} ${t.getUTCDate()} ${iso(t).slice(11, 19)} host app: ${s}`),
  'json-time': fc.tuple(time, text).map(([t, s]) => `{"msg":"${s}","time":"${iso(t)}"}`),
  'iso-after-words': fc
    .tuple(time, text)
    .map(([t, s]) => `nova-api.log ${iso(t).replace('T', ' ').slice(0, 23)} INFO ${s}`),
  epoch: fc.tuple(time, text).map(([t, s]) => `${t.getTime()} ${s}`),
  access: fc.tuple(time, text).map(([t, s]) => {
    const [, day, month, year] = t.toUTCString().split(' ')
    return `10.0.0.1 - - [${day}/${month}/${year}:${iso(t).slice(11, 19)} +0100] "GET ${s}"`
  }),
  cri: fc
    .tuple(time, stream, fc.constantFrom('F', 'F', 'P', 'F:x', 'P:y'), text)
    .map(([t, name, tag, s]) => `${iso(t)} ${name} ${tag} ${s}`),
  docker: fc
    .tuple(
      time,
      stream,
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\\n', '\\r\\n', ''),
      fc.constantFrom('', '"attrs":{"a":"}"},'),
    )
    .map(([t, name, s, end, extra]) => {
      const log = JSON.stringify(s).slice(0, -1)
      return latin1(encoder.encode(`{"log":${log}${end}",${extra}"stream":"${name}","time":"${iso(t)}"}`))
    }),
}

/** Logs of a format with other lines between, and with mixed line ends. */
export function logOf(shape: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  const line = fc.oneof({ weight: 4, arbitrary: shape }, { weight: 1, arbitrary: text })
  const lineEnd = fc.constantFrom('\n', '\n', '\r\n')
  const rest = fc.array(fc.tuple(line, lineEnd), { maxLength: 30 })
  return fc.tuple(fc.boolean(), shape, lineEnd, rest, fc.boolean()).map(([mark, first, end, lines, isWhole]) => {
    const all = [[first, end], ...lines].map((pair) => pair.join('')).join('')
    return fromLatin1((mark ? '\xef\xbb\xbf' : '') + (isWhole ? all : all.slice(0, -1)))
  })
}

/** Logs with lines of any format, after lines without a time. */
export const ANY_LOG: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.array(text, { maxLength: 3 }),
    fc
      .constantFrom(...Object.values(SHAPES))
      .chain((shape) =>
        fc.array(fc.oneof({ weight: 8, arbitrary: shape }, text, ...Object.values(SHAPES)), { maxLength: 70 }),
      ),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([preamble, lines, lineEnd]) => fromLatin1([...preamble, ...lines].join(lineEnd)))

export const CUTS = fc.array(fc.nat(6000), { maxLength: 5 })
