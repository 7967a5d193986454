import { describe, expect, it } from 'vitest'
import { READING_KERNELS } from '../../../test/reading/kernels.js'
import { NOW, type ReadingWay, readAll } from '../../../test/reading/read.js'
import { fromLatin1, latin1 } from '../../../test/reading/slow-lines.js'
import { createReader, type EntryBatch, startsEntry } from './reader.js'

const encoder = new TextEncoder()
const MIB = 1 << 20
const T = (second: number) => BigInt(Date.UTC(2026, 2, 1, 12, 0, second)) * 1_000_000n
const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}Z`

describe.each(READING_KERNELS)('the reader on the %s kernel', (_, makeKernel) => {
  const read = (log: string, way?: ReadingWay) => readAll(makeKernel, encoder.encode(log), way)
  const texts = (log: string, way?: ReadingWay) => read(log, way).entries.map(({ text }) => text)

  describe('lines', () => {
    it('number entries by their first line', () => {
      const { entries, lines } = read(`hello\n\n${at(1)} a\nb\n${at(2)} c`)
      expect(entries).toEqual([
        { timestamp: T(1), text: 'hello', line: 1 },
        { timestamp: T(1), text: '', line: 2 },
        { timestamp: T(1), text: 'a\nb', line: 3 },
        { timestamp: T(2), text: 'c', line: 5 },
      ])
      expect(lines).toBe(5)
    })

    it('end with LF or CRLF, also inside an entry; a single carriage return is text', () => {
      expect(texts(`${at(1)} a\r\nb\r\r\n\r\nc\rd\r\n${at(2)} e\r`)).toEqual(['a\nb\r\n\nc\rd', 'e\r'])
    })

    it('keep empty lines inside an entry', () => {
      expect(texts(`${at(1)} a\n\nb\n\n${at(2)} c\n`)).toEqual(['a\n\nb\n', 'c'])
    })

    it('keep NUL bytes and bytes that are not UTF-8', () => {
      const data = fromLatin1(`${at(1)} a\0b\xff\xfe\xc3(\n\xed\xa0\x80\n`)
      expect(readAll(makeKernel, data).entries.map(({ text }) => text)).toEqual(['a\0b\xff\xfe\xc3(\n\xed\xa0\x80'])
    })

    it('may start with a byte order mark in the first line only', () => {
      expect(texts(`\ufeff${at(1)} a\n`)).toEqual(['a'])
      expect(texts(`${at(1)} a\n\ufeff${at(2)} b\n`)[0]).toContain(at(2))
    })

    it('of empty data give no entries', () => {
      expect(read('')).toEqual({ entries: [], flags: [], warnings: [], formats: [], lines: 0, folded: 0 })
    })
  })

  describe('RFC 3339', () => {
    it('removes one space after the time, but no tab', () => {
      expect(texts(`${at(1)}  a\n${at(2)}\tb\n${at(3)}\n${at(4)} \n`)).toEqual([' a', `${at(2)}\tb`, at(3), ''])
    })
  })

  describe('container formats', () => {
    it('join the pieces of each stream separately', () => {
      const log = [
        `${at(1)} stdout P a`,
        `${at(2)} stderr P x`,
        `${at(3)} stdout P:tag b`,
        `${at(4)} stderr F y`,
        `${at(5)} stdout F:tag c`,
        `${at(6)} stdout F`,
      ].join('\n')
      expect(read(log).entries).toEqual([
        { timestamp: T(2), text: 'xy', line: 2 },
        { timestamp: T(1), text: 'abc', line: 1 },
        { timestamp: T(6), text: '', line: 6 },
      ])
    })

    it('deliver incomplete entries at the end of the data', () => {
      const log = `${at(1)} stderr P x\n${at(2)} stdout P a\n${at(3)} stderr P y\n`
      expect(texts(log)).toEqual(['xy', 'a'])
    })

    it('give a line that is not a record its own time, or that of the entry before, at the start that of the first record', () => {
      const log = `starting\n${at(1)} stdout F a\nPanic!\n\n${at(2)} nowhere F b\n${at(3)} stdout F c\n${at(4)} stderr F d\n`
      expect(read(log).entries).toEqual([
        { timestamp: T(1), text: 'starting', line: 1 },
        { timestamp: T(1), text: 'a', line: 2 },
        { timestamp: T(1), text: 'Panic!', line: 3 },
        { timestamp: T(1), text: '', line: 4 },
        { timestamp: T(2), text: 'nowhere F b', line: 5 },
        { timestamp: T(3), text: 'c', line: 6 },
        { timestamp: T(4), text: 'd', line: 7 },
      ])
    })

    const record = (log: string, second: number, stream = 'stdout') => JSON.stringify({ log, stream, time: at(second) })

    it('decode the text of a record with its keys in any order', () => {
      const log = [
        String.raw`{"log":"a\u00e9\ud83d\ude00\ud83d \"\\\/\b\f\t\x\u12\n","stream":"stdout","time":"${at(1)}"}`,
        `{ "time" : "${at(2)}", "attrs": {"a": ["}", 1, null]}, "log":"b\\r\\n" ,"n":-1.5e3, "stream":"stderr"}`,
        record('no line end', 3),
        record('\n', 4),
      ].join('\n')
      const expected = ['aé😀\ufffd "\\/\b\f\t\\x\\u12', 'b', 'no line end', '']
      expect(texts(log)).toEqual(expected.map((text) => latin1(encoder.encode(text))))
    })

    it('join records of 16 KiB without a line end', () => {
      const piece = 'x'.repeat(16_384)
      const log = [
        record(piece, 1),
        record('other\n', 2, 'stderr'),
        record(piece, 3),
        record('end\n', 4),
        record(piece.slice(1), 5),
        record(`${piece}\n`, 6),
        record(piece, 7),
      ].join('\n')
      expect(read(log).entries.map(({ timestamp, text }) => [timestamp, text.length])).toEqual([
        [T(2), 5],
        [T(1), 2 * 16_384 + 3],
        [T(5), 16_383],
        [T(6), 16_384],
        [T(7), 16_384],
      ])
    })

    it('read an invalid record as a line', () => {
      const good = record('a\n', 1)
      const bad = [
        `${good}x`,
        good.slice(0, -1),
        good.replace('stdout', 'stdin'),
        good.replace('Z"', 'X"'),
        good.replace('"log"', '"lag"'),
        good.replace('"a\\n"', '7'),
      ]
      expect(texts([good, ...bad, good, good, good, good, good, good].join('\n')).slice(1, 1 + bad.length)).toEqual(bad)
    })
  })

  describe('no timestamp', () => {
    it('makes every line an entry with the time at which it is read, which never decreases, and warns once', () => {
      const clock = [5n, 3n, 9n]
      const data = encoder.encode('a\n\nb\nc')
      const options = { readTime: () => clock.shift() ?? 9n, skip: 2 }
      const { entries, warnings } = readAll(makeKernel, data, { cuts: [3, 5], options })
      expect(entries.map(({ text }) => text)).toEqual(['a', '', 'b', 'c'])
      expect(entries.map(({ timestamp }) => timestamp)).toEqual([5n, 5n, 5n, 9n])
      expect(warnings).toEqual(['no timestamp found in the first 2 lines: each line gets the time at which it is read'])
    })

    it('ends at the first line with a time that is where a logger puts it', () => {
      const log = `a\nb\nc\n12:00:01 c\nat 2026-03-01 12:00:01 d\n${at(1)} e\nf\n`
      const { entries, formats, warnings } = read(log, { options: { skip: 3, readTime: () => 5n } })
      expect(entries.map(({ timestamp, text }) => [timestamp, text])).toEqual([
        [5n, 'a'],
        [5n, 'b'],
        [5n, 'c'],
        [5n, '12:00:01 c'],
        [5n, 'at 2026-03-01 12:00:01 d'],
        [T(1), 'e\nf'],
      ])
      expect(formats).toEqual(['rfc3339'])
      expect(warnings.length).toBe(1)
    })
  })

  describe('limits', () => {
    const long = (length: number) => 'x'.repeat(length)
    const [head, tail] = [`${at(1)} a\n`, `\n${at(2)} b\n`]
    const lengths = (log: string, way?: ReadingWay) => {
      const { entries, warnings } = read(log, way)
      return { lengths: entries.map(({ text }) => text.length), warnings }
    }
    const warning = (line: number) => [`line ${line}: the entry is longer than 1 MiB; the rest of it is not matched`]

    it.each([
      ['at the limit', 0, []],
      ['over the limit', 1, warning(1)],
      ['far over the limit', 5 * MIB, warning(1)],
    ])('keep a line %s as one line', (_name, over, warnings) => {
      const prefix = `${at(1)} `
      const line = prefix + long(MIB - prefix.length + over)
      for (const lineEnd of ['\n', '\r\n']) {
        const log = `${line}${lineEnd}${at(2)} b`
        expect(lengths(log, { options: { formats: [{ name: 'rfc3339' }] } })).toEqual({
          lengths: [MIB - prefix.length, 1],
          warnings,
        })
      }
    })

    it('cut an entry of many lines, for any division of the data', () => {
      const lines = Array.from({ length: 80 }, (_line, i) => long(20_000 + i)).join('\n')
      const log = head + lines + tail
      expect(lengths(log)).toEqual({ lengths: [MIB, 1], warnings: warning(54) })
      expect(lengths(log, { cuts: [70_000, 1_000_000, 1_100_000, 1_500_000], restore: true })).toEqual(lengths(log))
    })

    it('cut an entry of container pieces', () => {
      const pieces = Array.from({ length: 5 }, (_piece, i) => `${at(i)} stdout P ${long(300_000)}`)
      const log = [...pieces, `${at(6)} stdout F end`, `${at(7)} stdout F b`].join('\n')
      expect(lengths(log)).toEqual({ lengths: [MIB, 1], warnings: warning(4) })
    })

    it('bound the memory of a line without end, for chunks of any size', () => {
      const kernel = makeKernel()
      const reader = createReader(kernel, { now: NOW })
      let count = 0
      const deliver = (batch: EntryBatch) => {
        count += batch.count
      }
      reader.push(encoder.encode(head), deliver)
      const before = kernel.memory.u8.length
      const piece = encoder.encode(long(100_000))
      for (let i = 0; i < 300; i++) reader.push(piece, deliver)
      expect(reader.snapshot().unread.length).toBeLessThan(100)
      reader.push(encoder.encode(tail), deliver)
      reader.end(deliver)
      expect(count).toBe(2)
      expect(kernel.memory.u8.length).toBe(before)
    })

    it('do not make small chunks move a long entry again and again', () => {
      const kernel = makeKernel()
      const reader = createReader(kernel, { now: NOW, formats: [{ name: 'rfc3339' }] })
      let moved = 0
      const { u8 } = kernel.memory
      const copyWithin = u8.copyWithin.bind(u8)
      u8.copyWithin = (to, from, end) => {
        moved += (end ?? 0) - from
        return copyWithin(to, from, end)
      }
      reader.push(encoder.encode(head + long(900_000)), () => {})
      for (let i = 0; i < 5000; i++) reader.push(encoder.encode(`${long(i % 50)}\n`), () => {})
      expect(moved).toBeLessThan(5_000_000)
    })
  })

  describe('more entries than fit a batch', () => {
    it('are delivered in several batches', () => {
      const log = `${at(1)} a\n`.repeat(100_000)
      const { entries } = read(log)
      expect(entries.length).toBe(100_000)
      expect(entries.at(-1)).toEqual({ timestamp: T(1), text: 'a', line: 100_000 })
    })
  })

  it('starts again in the same format', () => {
    const kernel = makeKernel()
    const reader = createReader(kernel, { now: NOW, formats: [{ name: 'iso' }] })
    const seen: string[] = []
    const deliver = (batch: EntryBatch) => {
      for (let i = 0; i < batch.count; i++) {
        seen.push(`${batch.line[i]} ${latin1(kernel.memory.u8.subarray(batch.textStart[i], batch.textEnd[i]))}`)
      }
    }
    for (const name of ['a', 'b']) {
      reader.push(encoder.encode(`2026-03-01 12:00:01 ${name}\nmore`), deliver)
      reader.end(deliver)
      expect(reader.lines).toBe(2)
      reader.restart({ formats: [{ name: 'iso' }], lines: 0 })
    }
    expect(seen).toEqual(['1 2026-03-01 12:00:01 a\nmore', '1 2026-03-01 12:00:01 b\nmore'])
  })
})

describe('startsEntry', () => {
  /** Whether a line starts an entry after a line of each of these formats. */
  const starts = (names: readonly string[], line: string, shapes = 15) =>
    startsEntry(
      names.map((name) => ({ name, shapes })),
      encoder.encode(line),
      0,
      encoder.encode(line).length,
    )

  it('is true for a line with a time', () => {
    expect(starts(['rfc3339'], `${at(1)} a`)).toBe(true)
    expect(starts(['rfc3339'], `\x1b[1m${at(1)}\x1b[0m a`)).toBe(true)
    expect(starts(['rfc3339'], '\tat x')).toBe(false)
    expect(starts(['syslog'], 'Feb 29 12:00:01 a')).toBe(true)
    expect(starts(['access', 'slashes'], '2026/03/01 12:00:01 a')).toBe(true)
    expect(starts(['cri'], `${at(1)} stdout F a`)).toBe(true)
    expect(starts(['cri'], `${at(1)} a`)).toBe(false)
  })

  it('is false where it depends on the lines before', () => {
    expect(starts(['us', 'day-first'], '03/04/2026 12:00:01 a')).toBe(false)
    expect(starts(['us', 'day-first'], '03/14/2026 12:00:01 a')).toBe(true)
    expect(starts(['iso'], '2026-03-01 12:00:01 a', 1 << 1)).toBe(false)
    expect(starts(['iso'], '2026-03-01 12:00:01,5 a', 1 << 1)).toBe(true)
  })
})
