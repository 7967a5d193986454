import { describe, expect, it } from 'vitest'
import { plainReadingKernel } from '../../../test/reading/kernels.js'
import { readAll } from '../../../test/reading/read.js'
import { EXAMPLE_NOW, FORMATS } from '../../time/formats.js'

const encoder = new TextEncoder()

function read(lines: readonly string[]) {
  const data = encoder.encode(`${lines.join('\n')}\n`)
  const { entries, formats } = readAll(plainReadingKernel, data, { options: { now: EXAMPLE_NOW } })
  return {
    name: formats[0] ?? 'none',
    formats,
    count: entries.length,
    times: entries.map(({ timestamp }) => isoOf(timestamp)),
  }
}

function isoOf(nanoseconds: bigint): string {
  const fraction = String(nanoseconds % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const whole = new Date(Number(nanoseconds / 1_000_000_000n) * 1000).toISOString().slice(0, 19)
  return fraction === '' ? `${whole}Z` : `${whole}.${fraction}Z`
}

const many = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i))
const two = (n: number) => String(n).padStart(2, '0')

describe('the format of a log', () => {
  it.each(FORMATS.map((row) => [row.name, row] as const))('is found for lines like the example of %s', (_, row) => {
    expect(read([row.example, row.example, row.example]).times).toEqual([row.expected, row.expected, row.expected])
  })

  const syslog = (i: number) => `Mar  1 12:00:${two(i % 60)} web1 app[7]: x${i}`
  const iso = (i: number) => `2026-03-01 12:00:${two(i % 60)},123 INFO x${i}`
  const rfc3339 = (i: number) => `2026-03-01T12:00:${two(i % 60)}Z x${i}`
  const json = (i: number) => `{"level":"info","time":"2026-03-01T12:00:${two(i % 60)}Z","msg":"x${i}"}`

  it.each([
    ['an odd line first', ['{"time":"2026-03-01T11:00:00Z"}', ...many(20, syslog)], 'syslog'],
    ['odd lines among them', [...many(20, syslog), json(1), json(2), ...many(20, syslog)], 'syslog'],
    ['a time in each text', many(20, (i) => `${syslog(i)} at 2026-02-01 10:00:00`), 'syslog'],
    ['JSON in each text', many(20, (i) => `${syslog(i)} ${json(i)}`), 'syslog'],
    ['a container time in front of the own one', many(20, (i) => `${rfc3339(i)} ts=2026-02-01T10:00:00Z`), 'rfc3339'],
    [
      'a few lines that are records of a container',
      many(20, (i) => (i === 3 ? rfc3339(i) : `2026-03-01T12:00:00Z stdout F ${rfc3339(i)}`)),
      'cri',
    ],
    [
      'a time inside of each object',
      many(20, (i) => json(i).replace('"level"', '"created_at":"2020-01-01T00:00:00Z","level"')),
      'json-time',
    ],
    ['folded lines with times', many(20, (i) => `${iso(i)}\nSELECT 1 WHERE t > '2020-01-01 00:00:00'`), 'iso'],
    [
      'pretty-printed values',
      many(5, (i) => `${rfc3339(i)}\n{\n  "t": "2020-01-01T00:00:00Z",\n  "u": "2020-01-01T00:00:00Z"\n}`),
      'rfc3339',
    ],
    [
      'some lines in brackets',
      many(20, (i) => (i % 5 === 4 ? `[2026-03-01 12:00:${two(i)}] x` : `2026-03-01 12:00:${two(i)} x`)),
      'iso-loose',
    ],
    ['ids that look like epochs', many(20, (i) => `${1_700_000_000 + i * 7} ${iso(i)}`), 'iso-after-words'],
    ['a stack trace that is longer than the probe', [iso(1), ...many(80, (i) => `\tat a.b.C.d(C.java:${i})`)], 'iso'],
    [
      'times after hosts and levels',
      many(20, (i) => `${i % 2 ? 'web1 INFO' : 'db1.example.com app'} ${iso(i)}`),
      'iso-after-words',
    ],
    [
      'times after the names of containers',
      many(20, (i) => `worker-${i}  | 2026/03/01 12:00:${two(i)} x`),
      'iso-after-words',
    ],
    ['times in colour', many(20, (i) => `\x1b[2m2026-03-01T12:00:${two(i)}Z\x1b[0m \x1b[32m INFO\x1b[0m x`), 'rfc3339'],
    ['levels in colour', many(20, (i) => `\x1b[1;31mERROR\x1b[0m ${iso(i)}`), 'iso-after-words'],
    ['days before months', many(20, (i) => `${two(i + 5)}/03/2026 12:00:01 x`), 'day-first'],
    ['months before days', many(20, (i) => `03/${two(i + 5)}/2026 12:00:01 x`), 'us'],
    ['kernel messages', many(20, (i) => `[  ${i}.000000] usb 1-1: x`), 'none'],
    ['numbers', many(20, (i) => `${i * 1000} x`), 'none'],
    ['one number in the range of epochs', [...many(20, (i) => `word ${i}`), '1772366401 x'], 'none'],
    ['one date in a text', [...many(30, (i) => `word ${i}`), 'started at 2026-03-01 12:00:01'], 'none'],
    ['one object in a text', [...many(30, (i) => `word ${i}`), json(1)], 'json-time'],
    ['durations', many(20, (i) => `{"time":0.${i}1,"msg":"x"}`), 'none'],
  ])('is not mistaken with %s', (_, lines, name) => {
    expect(read(lines.join('\n').split('\n')).name).toBe(name)
  })

  it('is decided on sixteen lines if all of them agree, otherwise on fifty', () => {
    expect(read([...many(16, iso), ...many(34, syslog)]).name).toBe('iso')
    expect(read([...many(15, iso), ...many(35, syslog)]).name).toBe('syslog')
    expect(read([...many(26, iso).flatMap((line) => ['x', line])]).name).toBe('iso')
  })
})
