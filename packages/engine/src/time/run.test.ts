import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FORMATS, programOf } from './formats.js'
import { compileTimeFormat } from './named.js'
import { runTime } from './run.js'
import { utcClock, yearLimit } from './wall-clock.js'

const encoder = new TextEncoder()
const now = new Date('2026-04-10T00:00:00Z')

/** The time of a string in a configured format, as RFC 3339, or undefined if it does not match. */
function read(format: string, text: string, at = now): string | undefined {
  return readWith(compileTimeFormat(format), text, at, true)
}

function readWith(program: Uint8Array, text: string, at = now, whole = false): string | undefined {
  const bytes = encoder.encode(text)
  const found = { seconds: 0, nanos: 0, start: 0, end: 0 }
  if (!runTime(program, bytes, 0, bytes.length, utcClock(yearLimit(at)), found)) return undefined
  if (whole && found.end !== bytes.length) return undefined
  const fraction = String(found.nanos).padStart(9, '0').replace(/0+$/, '')
  return new Date(found.seconds * 1000).toISOString().replace('.000Z', fraction === '' ? 'Z' : `.${fraction}Z`)
}

function row(name: string): Uint8Array {
  return programOf(FORMATS.find((format) => format.name === name)!)
}

describe('Go reference layouts', () => {
  it.each([
    ['2006-01-02 15:04:05,000', '2026-03-01 12:00:01,250', '2026-03-01T12:00:01.25Z'],
    ['2006-01-02 15:04:05.999999', '2026-03-01 12:00:01.000001', '2026-03-01T12:00:01.000001Z'],
    ['2006-01-02 15:04:05.999999', '2026-03-01 12:00:01', '2026-03-01T12:00:01Z'],
    ['2006-01-02T15:04:05Z07:00', '2026-03-01T12:00:01Z', '2026-03-01T12:00:01Z'],
    ['2006-01-02T15:04:05Z07:00', '2026-03-01T12:00:01.5+02:00', '2026-03-01T10:00:01.5Z'],
    ['2006-01-02T15:04:05-0700', '2026-03-01T12:00:01-0730', '2026-03-01T19:30:01Z'],
    ['Jan _2 15:04:05', 'Mar  1 12:00:01', '2026-03-01T12:00:01Z'],
    ['Jan _2 15:04:05', 'Mar 31 12:00:01', '2026-03-31T12:00:01Z'],
    ['Jan 2 2006 3:04PM', 'Mar 1 2026 1:07PM', '2026-03-01T13:07:00Z'],
    ['January 2, 2006 at 3:04pm (MST)', 'March 1, 2026 at 1:07pm (PST)', '2026-03-01T21:07:00Z'],
    ['Monday, 02-Jan-06 15:04:05 MST', 'Sunday, 01-Mar-26 12:00:01 UTC', '2026-03-01T12:00:01Z'],
    ['Mon Jan _2 15:04:05 MST 2006', 'Sun Mar  1 12:00:01 CET 2026', '2026-03-01T11:00:01Z'],
    ['Mon Jan _2 15:04:05 MST 2006', 'Sun Mar  1 12:00:01 XYZ 2026', '2026-03-01T12:00:01Z'],
    ['02/Jan/2006:15:04:05 -0700', '01/Mar/2026:12:00:01 -0500', '2026-03-01T17:00:01Z'],
    ['2006002 150405', '2026060 120001', '2026-03-01T12:00:01Z'],
    ['2006-__2', '2026- 60', '2026-03-01T00:00:00Z'],
    ['20060102150405', '20260301120001', '2026-03-01T12:00:01Z'],
    ['06-1-2 15:4:5', '69-3-1 12:0:1', '1969-03-01T12:00:01Z'],
    ['06-1-2 15:4:5', '68-3-1 12:0:1', '2068-03-01T12:00:01Z'],
    ['_2006', '_2026', '2026-01-01T00:00:00Z'],
    ['时间 2006-01-02', '时间 2026-03-01', '2026-03-01T00:00:00Z'],
    ['rfc3339', '2026-03-01T12:00:01Z', '2026-03-01T12:00:01Z'],
    ['RFC3339Nano', '2026-03-01T12:00:01.123456789-01:00', '2026-03-01T13:00:01.123456789Z'],
    ['unix', '1772366401', '2026-03-01T12:00:01Z'],
    ['epochseconds', '0', '1970-01-01T00:00:00Z'],
    ['epochmillis', '1772366401250', '2026-03-01T12:00:01.25Z'],
    ['epochmicros', '1772366401250001', '2026-03-01T12:00:01.250001Z'],
    ['epochnanos', '1772366401250000001', '2026-03-01T12:00:01.250000001Z'],
    ['epochmillis', '7', '1970-01-01T00:00:00.007Z'],
    ['epochany', '1772366401', '2026-03-01T12:00:01Z'],
    ['epochany', '1772366401250', '2026-03-01T12:00:01.25Z'],
    ['epochany', '1772366401250001', '2026-03-01T12:00:01.250001Z'],
    ['epochany', '1772366401250000001', '2026-03-01T12:00:01.250000001Z'],
    ['dotnotation', '1772366401.0000005', '2026-03-01T12:00:01.0000005Z'],
    ['dotnotation', '1772366401.1234567899', '2026-03-01T12:00:01.123456789Z'],
  ])('%s reads %s', (format, text, expected) => {
    expect(read(format, text)).toBe(expected)
  })

  it.each([
    ['2006-01-02', '2026-13-01'],
    ['2006-01-02', '2026-00-01'],
    ['2006-01-02', '2026-02-30'],
    ['2006-01-02', '2025-02-29'],
    ['2006-01-02', '0001-01-01'],
    ['2006-01-02', '2300-01-01'],
    ['2006-002', '2025-366'],
    ['2006-01-02 15:04', '2026-03-01 24:00'],
    ['2006-01-02 15:04', '2026-03-01 23:60'],
    ['2006-01-02 15:04:05', '2026-03-01 23:59:61'],
    ['2006-01-02 15:04:05', '2026-03-01 23:59:5'],
    ['2006-01-02 03:04 PM', '2026-03-01 13:00 PM'],
    ['2006-01-02 03:04 PM', '2026-03-01 00:00 PM'],
    ['2006-01-02 -0700', '2026-03-01 +2400'],
    ['2006-01-02', '2026-03-01x'],
    ['Jan 2', 'Foo 2'],
    ['Mon Jan 2', 'Xyz Mar 2'],
    ['unix', 'x'],
    ['unix', '99999999999'],
    ['epochany', '12345678901234567890'],
    ['rfc3339', '2026-03-01T12:00:01'],
  ])('%s rejects %s', (format, text) => {
    expect(read(format, text)).toBeUndefined()
  })

  it('reads a leap second as the first moment of the next minute', () => {
    expect(read('2006-01-02 15:04:05', '2016-12-31 23:59:60')).toBe('2017-01-01T00:00:00Z')
  })

  it('rejects a format without a time', () => {
    expect(() => compileTimeFormat('when it happened')).toThrow('is not a time format')
    expect(() => compileTimeFormat('')).toThrow('is not a time format')
  })
})

describe('times without a year', () => {
  it.each([
    ['2026-01-02T00:00:00Z', 'Dec 31 00:00:01', '2025-12-31T00:00:01Z'],
    ['2026-01-02T00:00:00Z', 'Jan  9 00:00:00', '2026-01-09T00:00:00Z'],
    ['2026-01-02T00:00:00Z', 'Jan  9 00:00:01', '2025-01-09T00:00:01Z'],
    ['2025-12-30T00:00:00Z', 'Jan  2 00:00:00', '2026-01-02T00:00:00Z'],
    ['2026-04-10T00:00:00Z', 'Feb 29 12:00:00', '2024-02-29T12:00:00Z'],
    ['2028-02-25T00:00:00Z', 'Feb 29 12:00:00', '2028-02-29T12:00:00Z'],
    ['1903-01-01T00:00:00Z', 'Feb 29 12:00:00', '1896-02-29T12:00:00Z'],
  ])('at %s read %s', (at, text, expected) => {
    expect(read('Jan _2 15:04:05', text, new Date(at))).toBe(expected)
  })

  it('have the last day that fits when there is no date either', () => {
    expect(read('15:04:05', '12:00:01')).toBe('2026-04-09T12:00:01Z')
    expect(read('15:04:05', '00:59:59')).toBe('2026-04-10T00:59:59Z')
  })
})

describe('zones of the built-in formats', () => {
  it.each([
    ['2026-03-01 12:00:01 UTC [42] x', '2026-03-01T12:00:01Z'],
    ['2026-03-01 12:00:01 EST x', '2026-03-01T17:00:01Z'],
    ['2026-03-01 12:00:01.5 CEST x', '2026-03-01T10:00:01.5Z'],
    ['2026-03-01 12:00:01 ERROR x', '2026-03-01T12:00:01Z'],
    ['2026-03-01 12:00:01 ESTABLISHED', '2026-03-01T12:00:01Z'],
    ['2026-03-01 12:00:01 +0100 x', '2026-03-01T11:00:01Z'],
    ['2026-03-01 12:00:01+01 x', '2026-03-01T11:00:01Z'],
    ['2026-03-01 12:00:01 +01 x', '2026-03-01T12:00:01Z'],
    ['2026-03-01 12:00:01 - INFO', '2026-03-01T12:00:01Z'],
    ['2026-03-01 12:00:01 -12345', '2026-03-01T12:00:01Z'],
    ['2026-03-01 12:00:01 GMT+02:00 x', '2026-03-01T10:00:01Z'],
    ['2026-03-01 12:00:01 Zookeeper', '2026-03-01T12:00:01Z'],
    ['2026-03-01 12:00:01 Z', '2026-03-01T12:00:01Z'],
  ])('%s', (text, expected) => {
    expect(readWith(row('iso'), text)).toBe(expected)
  })
})

describe('the position of a time', () => {
  it('a key is not found inside a longer word', () => {
    expect(readWith(row('logfmt-time'), 'uptime=1772366401 x')).toBeUndefined()
    expect(readWith(row('logfmt-time'), 'uptime=1772366401 time=1772366402')).toBe('2026-03-01T12:00:02Z')
  })

  it('the first occurrence of a key that is followed by a time counts', () => {
    const line = '{"http":{"time":0.25},"time":"2026-03-01T12:00:01Z","old":{"time":"2020-01-01T00:00:00Z"}}'
    expect(readWith(row('json-time'), line)).toBe('2026-03-01T12:00:01Z')
  })

  it('a key in an escaped string is ignored', () => {
    const line = JSON.stringify({ msg: '{"time":"2020-01-01T00:00:00Z"}', time: '2026-03-01T12:00:01Z' })
    expect(readWith(row('json-time'), line)).toBe('2026-03-01T12:00:01Z')
  })

  it('a time in the middle of a word is ignored', () => {
    expect(readWith(row('iso-after-words'), 'app.log.2017-05-16_13:53:08 x')).toBeUndefined()
  })

  it('a time inside an indented line is ignored, but not at its start', () => {
    expect(readWith(row('iso-after-words'), '  "t": "2026-03-01T12:00:01Z"')).toBeUndefined()
    expect(readWith(row('iso-after-words'), '    2026/03/01 12:00:01 [INFO] agent')).toBe('2026-03-01T12:00:01Z')
  })

  it('numbers outside 1990 to 2100 are not epochs', () => {
    for (const number of ['631151999', '4102444800', '12345', '0', '99999999999999999999']) {
      expect(readWith(row('epoch'), `${number} x`)).toBeUndefined()
    }
    expect(readWith(row('epoch'), '631152000 x')).toBe('1990-01-01T00:00:00Z')
  })
})

describe('runTime', () => {
  const names = ['rfc3339', 'iso', 'slashes', 'json-time', 'epoch', 'access', 'ctime', 'iso-after-words'] as const
  const pad = (n: number) => String(n).padStart(2, '0')
  const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
  const write: Record<(typeof names)[number], (t: Date, iso: string, fraction: string) => string> = {
    rfc3339: (_, iso, fraction) => `${iso}.${fraction}Z x`,
    iso: (_, iso, fraction) => `${iso.replace('T', ' ')},${fraction} x`,
    slashes: (_, iso, fraction) => `${iso.replace('T', ' ').replaceAll('-', '/')}.${fraction}`,
    'json-time': (_, iso, fraction) => `{"a":1, "time" : "${iso}.${fraction}+00:00"}`,
    epoch: (t, _, fraction) => `${t.getTime() / 1000}.${fraction}`,
    access: (t, iso, fraction) =>
      `a - [x] [${pad(t.getUTCDate())}/${months[t.getUTCMonth()]}/${t.getUTCFullYear()}:${iso.slice(11)}.${fraction} -0000] "`,
    ctime: (t, iso, fraction) =>
      `Sun ${months[t.getUTCMonth()]} ${String(t.getUTCDate()).padStart(2)} ${iso.slice(11)}.${fraction} ${t.getUTCFullYear()}`,
    'iso-after-words': (_, iso, fraction) => `a | b [${iso}.${fraction}]`,
  }

  it('reads every second between 1990 and 2100 in every format', () => {
    const second = fc.integer({ min: 631_152_000, max: 4_102_444_799 })
    fc.assert(
      fc.property(second, fc.stringMatching(/^\d{1,12}$/), fc.constantFrom(...names), (seconds, fraction, name) => {
        const t = new Date(seconds * 1000)
        const iso = t.toISOString().slice(0, 19)
        const kept = fraction.slice(0, 9).replace(/0+$/, '')
        expect(readWith(row(name), write[name](t, iso, fraction))).toBe(kept === '' ? `${iso}Z` : `${iso}.${kept}Z`)
      }),
      { numRuns: 500 },
    )
  })

  it('returns a result within the line for any bytes', () => {
    const program = fc.constantFrom(...FORMATS).map(programOf)
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .array(fc.constantFrom('2026', '-', '03', '01', ' ', 'T', ':', '12', '.5', '+', 'Z', 'Mar', '[', '"time":'))
        .map((parts) => encoder.encode(parts.join(''))),
    )
    fc.assert(
      fc.property(program, bytes, fc.nat(5), (code, data, from) => {
        const found = { seconds: 0, nanos: 0, start: -1, end: -1 }
        const start = Math.min(from, data.length)
        if (!runTime(code, data, start, data.length, utcClock(yearLimit(now)), found)) return
        expect(found.start).toBeGreaterThanOrEqual(start)
        expect(found.end).toBeLessThanOrEqual(data.length)
        expect(Number.isInteger(found.seconds) && Number.isInteger(found.nanos)).toBe(true)
        expect(found.nanos).toBeLessThan(1_000_000_000)
      }),
      { numRuns: 1000 },
    )
  })
})
