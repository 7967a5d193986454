import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTimestampReader, nanosecondsOf } from './timestamp.js'
import { createTimestampFilter, type LastLine, MAX_HELD, type TimestampOptions } from './timestamp-filter.js'

function readStamp(text: string): bigint | undefined {
  const stamp = createTimestampReader()
  const bytes = Buffer.from(`x${text}x`)
  return stamp.read(bytes, 1, bytes.length - 1) ? nanosecondsOf(stamp) : undefined
}

const stampAt = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}.000000001Z`
const nanoseconds = (second: number) => readStamp(stampAt(second))!

const ALL_LINES: TimestampOptions = { since: undefined, until: undefined, strip: false }

/** The output of a filter for a log in these chunks. */
function filter(
  pieces: readonly Uint8Array[],
  options: TimestampOptions,
): { text: string; last: LastLine | undefined } {
  const made = createTimestampFilter(options)
  const left: Buffer[] = []
  for (const piece of pieces) {
    const buffer = new Uint8Array(piece.length + MAX_HELD)
    left.push(Buffer.from(buffer.subarray(0, made.take(piece, buffer))))
  }
  const buffer = new Uint8Array(MAX_HELD)
  left.push(Buffer.from(buffer.subarray(0, made.rest(buffer))))
  return { text: Buffer.concat(left).toString(), last: made.last }
}

const filterText = (text: string, options: Partial<TimestampOptions>) =>
  filter([Buffer.from(text)], { ...ALL_LINES, ...options }).text

describe('the timestamp of a line', () => {
  it.each([
    ['2026-03-01T12:00:00Z', 1772366400000000000n],
    ['2026-03-01T12:00:00.5Z', 1772366400500000000n],
    ['2026-03-01T14:00:00.123456789+02:00', 1772366400123456789n],
  ])('%s', (text, expected) => expect(readStamp(text)).toBe(expected))

  it('is parsed like Date does, with more digits', () => {
    const instants = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(fc.array(instants, { minLength: 1, maxLength: 3 }), fc.nat(999_999), (dates, rest) => {
        const stamp = createTimestampReader()
        for (const date of dates) {
          const bytes = Buffer.from(date.toISOString().replace('Z', `${String(rest).padStart(6, '0')}Z`))
          expect(stamp.read(bytes, 0, bytes.length)).toBe(true)
          expect(nanosecondsOf(stamp)).toBe(BigInt(date.getTime()) * 1_000_000n + BigInt(rest))
        }
      }),
    )
  })

  it.each([
    '',
    'hello',
    '2026-03-01',
    '2026-13-01T12:00:00Z',
    '2026-03-01T12:00:00',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:0xZ',
    '2026-03-01T12:00:00+2:00',
  ])('%j is not a timestamp', (text) => expect(readStamp(text)).toBeUndefined())
})

describe('lines with timestamps of the runtime', () => {
  const log = [1, 2, 3].map((second) => `${stampAt(second)} line ${second}\n`).join('')

  it('are selected by them', () => {
    expect(filterText(log, { since: nanoseconds(2) })).toBe(log.split('\n').slice(1).join('\n'))
    expect(filterText(log, { until: nanoseconds(2) })).toBe(`${log.split('\n').slice(0, 2).join('\n')}\n`)
  })

  it('lose them if they have their own', () => {
    expect(filterText(log, { strip: true })).toBe('line 1\nline 2\nline 3\n')
  })

  it('belong to the line before if they have none', () => {
    const odd = `${stampAt(1)} a\nno time\n${stampAt(5)} b\nnor here\n`
    expect(filterText(odd, { since: nanoseconds(5), strip: true })).toBe('b\nnor here\n')
  })

  it('keep a second timestamp and empty lines', () => {
    expect(filterText(`${stampAt(1)} ${stampAt(2)} a\n${stampAt(3)} \n`, { strip: true })).toBe(`${stampAt(2)} a\n\n`)
  })

  it('may end without a line feed', () => {
    expect(filterText(`${stampAt(1)} the end`, { strip: true })).toBe('the end')
    expect(filterText('short', {})).toBe('short')
  })

  it('are the same wherever the log is split', () => {
    const line = fc.oneof(
      fc.tuple(fc.integer({ min: 0, max: 9 }), fc.string({ maxLength: 60 })).map(([second, text]) => {
        return `${stampAt(second)} ${text.replaceAll('\n', '')}\n`
      }),
      fc.string({ maxLength: 60 }).map((text) => `${text.replaceAll('\n', '')}\n`),
    )
    const options = fc.record({
      since: fc.option(fc.integer({ min: 0, max: 9 }).map(nanoseconds), { nil: undefined }),
      until: fc.constant(undefined),
      strip: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(200)), options, (lines, cuts, wanted) => {
        const bytes = Buffer.from(lines.join(''))
        const boundaries = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
        const pieces = boundaries.slice(1).map((end, index) => bytes.subarray(boundaries[index], end))
        expect(filter(pieces, wanted)).toEqual(filter([bytes], wanted))
      }),
    )
  })

  it('are not repeated when a log continues where it broke off', () => {
    // Also lines with the same timestamp: the server sends that whole second again.
    const seconds = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 15 })
    fc.assert(
      fc.property(seconds, fc.nat(1000), (times, cut) => {
        const lines = times.sort((a, b) => a - b).map((second, index) => `${stampAt(second)} line ${index}\n`)
        const log = Buffer.from(lines.join(''))
        const part = log.subarray(0, cut % (log.length + 1))
        const first = filter([part], { ...ALL_LINES, strip: true })
        const whole = first.text.slice(0, first.text.lastIndexOf('\n') + 1)
        const again = times.findIndex((second) => first.last && nanoseconds(second) >= first.last.time)
        const rest = Buffer.from(lines.slice(first.last ? again : 0).join(''))
        const second = filter([rest], { ...ALL_LINES, strip: true, after: first.last })
        expect(whole + second.text).toBe(lines.map((line) => line.slice(stampAt(0).length + 1)).join(''))
      }),
    )
  })

  it('are not held back as a whole, however long they are', () => {
    const made = createTimestampFilter({ ...ALL_LINES, strip: true })
    const piece = new Uint8Array(1 << 16).fill(120)
    const buffer = new Uint8Array(piece.length + MAX_HELD)
    made.take(Buffer.from(`${stampAt(1)} `), buffer)
    let written = 0
    for (let i = 0; i < 1000; i++) written += made.take(piece, buffer)
    expect(written).toBe(1000 * piece.length)
  })
})
