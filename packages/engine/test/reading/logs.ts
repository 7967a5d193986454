import fc from 'fast-check'
import { fromLatin1, latin1 } from './slow-lines.js'

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

/** Lines within a few days, so that some of them are near each other and others are not. */
const nearby = fc.integer({ min: 0, max: 60 }).map((hours) => new Date(1_772_000_000_000 + hours * 3_600_000))
const pad = (number: number, width = 2) => String(number).padStart(width, '0')
const clockOf = (t: Date) => iso(t).slice(11, 19)
const NEARBY_SHAPES = fc.tuple(nearby, text).chain(([t, s]) => {
  const [, day, month, year] = t.toUTCString().split(' ')
  return fc.constantFrom(
    `${iso(t)} ${s}`,
    `${iso(t).slice(0, 19)}Z ${s}`,
    `${iso(t).slice(0, 19)},5 ${s}`,
    `${iso(t).slice(0, 19)},${s}`,
    `${iso(t).slice(0, 10)} ${clockOf(t)},123 ${s}`,
    `${iso(t).slice(0, 10)} ${clockOf(t)} ${s}`,
    `${iso(t).slice(0, 10)} ${clockOf(t)} UTC,${s}`,
    `${iso(t).slice(0, 10).replaceAll('-', '/')} ${clockOf(t)} [error] ${s}`,
    `${month} ${t.getUTCDate()} ${clockOf(t)} host app: ${s}`,
    `10.0.0.1 - - [${day}/${month}/${year}:${clockOf(t)} +0100] "GET ${s}"`,
    `E${pad(t.getUTCMonth() + 1)}${pad(t.getUTCDate())} ${clockOf(t)}.123456  1 main.go:7] ${s}`,
    `${iso(t).slice(0, 10).replaceAll('-', '')}-${t.getUTCHours()}:${t.getUTCMinutes()}:0:${s.length} ${s}`,
    `INFO ${iso(t).slice(0, 10)} ${clockOf(t)} ${s}`,
    ` ${iso(t).slice(0, 10)} ${clockOf(t)} ${s}`,
    `{"time":"${iso(t)}","msg":"${s}"}`,
    `{"msg":"${s}","ts":${t.getTime() / 1000}} `,
    `web-1  | {"created_at":"${iso(t)}"}`,
    `[pod/a/b] {"level":1,"@timestamp":"${iso(t)}"}`,
    `payload {"time":"${iso(t)}"}`,
    `time=${iso(t)} msg="${s}"`,
    `${clockOf(t)} ${s}`,
    `${t.getTime()} ${s}`,
    `${day}/${pad(t.getUTCMonth() + 1)}/${year} ${clockOf(t)} ${s}`,
  )
})
const UNTIMED = fc.constantFrom(
  '{"a":1}',
  '  {}',
  '{',
  '}',
  'web-1 | {"a":1}',
  '[pod/a/b] {"a":{}}\t',
  '\tat a.b.C.d(C.java:12)',
  '  more',
  'Caused by: x at 2019-01-01 00:00:00',
  '2019-01-01 00:00:00 | 7',
  '2019-01-01T00:00:00Z x',
  '123456',
  '1:2',
  '',
)

/** Logs with lines of many formats, JSON objects, colours, and lines without a time before and between them. */
export const MIXED_LOG: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.array(fc.oneof(text, UNTIMED), { maxLength: 4 }),
    fc.array(NEARBY_SHAPES, { minLength: 2, maxLength: 6 }),
    fc.array(fc.nat(60), { minLength: 10, maxLength: 60 }),
    fc.array(fc.oneof(text, UNTIMED, NEARBY_SHAPES), { minLength: 1, maxLength: 12 }),
    fc.constantFrom('\n', '\n', '\r\n'),
    fc.constantFrom('', '\xef\xbb\xbf'),
  )
  .map(([preamble, shapes, order, others, lineEnd, mark]) => {
    const pool = [...shapes, ...shapes, ...others]
    return fromLatin1(mark + [...preamble, ...order.map((n) => pool[n % pool.length])].join(lineEnd))
  })

/** A log in which each rule about formats and folding applies at least once. */
export const EVERY_RULE: Uint8Array = fromLatin1(
  [
    'panic: boom',
    '\t/app/main.go:7',
    '{"level":"info"}',
    '\x1b[90m2026-03-01T12:00:01Z\x1b[0m \x1b[31mERROR\x1b[0m boom',
    '\tat a.b.C',
    'Caused by: no',
    '2026-03-01T12:00:02Z {"a":1}',
    'text after an object\r',
    'and more\r',
    '10.0.0.1 - - [01/Mar/2026:12:00:03 +0000] "GET / HTTP/1.1" 200 12\r',
    '2026/03/01 12:00:04 [error] 31#31: *7 connect() failed',
    '2019/01/01 12:00:04 [error] far away, but seen before',
    '2026-03-01 12:00:05,000 ERROR far from the line before',
    '2019-01-01 00:00:00 | 7',
    '{"time":"2019-01-01T12:00:06Z","msg":"x\\\\"}',
    'INFO:     10.0.0.1:5432 - "POST /x HTTP/1.1" 200 OK',
    'web-1  | {"no":"time"}',
    '20190101-22:16:0:119|Step|7|unpadded',
    '\x1b]8;;http://x/\x07link\x1b]8;;\x1b\\',
    'last line',
  ].join('\n'),
)
