import { describe, expect, it } from 'vitest'
import { READING_KERNELS } from '../../../test/reading/kernels.js'
import { NOW, type ReadingWay, readAll } from '../../../test/reading/read.js'
import { EXAMPLE_NOW, FORMATS, RANK } from '../../time/formats.js'
import { createReader } from './reader.js'

const encoder = new TextEncoder()
const T = (second: number) => BigInt(Date.UTC(2026, 2, 1, 12, 0, second)) * 1_000_000n
const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}Z`

describe.each(READING_KERNELS)('the reader on the %s kernel', (_, makeKernel) => {
  const read = (log: string, way?: ReadingWay) => readAll(makeKernel, encoder.encode(log), way)

  describe('configured timestamps', () => {
    const log =
      '2026-03-01T12:00:01Z <99> at 01.03.2026-12.00.07 a\nmore\n2026-03-01T12:00:02Z <99> at 01.03.2026-12.00.08 b\n'
    const timestamp = { regex: String.raw`at (\S+)`, format: '02.01.2006-15.04.05' }

    it('of the source are tried first, and the whole line is the text', () => {
      const { entries, formats } = read(log, { options: { timestamp } })
      expect(entries).toEqual([
        { timestamp: T(7), text: '2026-03-01T12:00:01Z <99> at 01.03.2026-12.00.07 a\nmore', line: 1 },
        { timestamp: T(8), text: '2026-03-01T12:00:02Z <99> at 01.03.2026-12.00.08 b', line: 3 },
      ])
      expect(formats).toEqual(['custom'])
      expect(read(log, { options: { timestamp }, cuts: [10, 60, 90], restore: true }).entries).toEqual(entries)
    })

    it('of the configuration are tried before the built-in formats, and the best of them is used', () => {
      const timestamps = [
        { pattern: String.raw`<(\d+)>`, format: 'rfc3339' },
        { pattern: String.raw`at (\S+7)`, format: timestamp.format },
        { pattern: timestamp.regex, format: timestamp.format },
      ]
      expect(read(log, { options: { timestamps } }).entries.map((entry) => entry.timestamp)).toEqual([T(7), T(8)])
    })

    it('that match no line are replaced by a built-in format, with a warning', () => {
      const { entries, warnings } = read(log, { options: { timestamp: { regex: '^!(.*)', format: 'unix' } } })
      expect(entries.map((entry) => entry.timestamp)).toEqual([T(1), T(2)])
      expect(warnings).toEqual(['the configured timestamp is in none of the first 3 lines: using the format rfc3339'])
    })

    it('that are not valid are refused', () => {
      const open = (regex: string, format: string) => () =>
        createReader(makeKernel(), { now: NOW, timestamp: { regex, format } })
      expect(open('(', 'unix')).toThrow('the timestamp pattern "(" cannot be used')
      expect(open('(.*)', 'whenever')).toThrow('"whenever" is not a time format')
    })
  })

  describe('a log of several formats', () => {
    const first = Array.from({ length: 20 }, (_line, i) => `${at(i)} a${i}`)
    const second = Array.from(
      { length: 300 },
      (_line, i) => `2026-03-01 12:${String(i % 60).padStart(2, '0')}:00,000 b${i}`,
    )
    const docker = Array.from({ length: 300 }, (_line, i) =>
      JSON.stringify({ log: `d${i}\n`, stream: 'stdout', time: at(i % 60) }),
    )
    const texts = (log: readonly string[]) => read(log.join('\n')).entries.map(({ text }) => text)

    it('has an entry for every line with a time', () => {
      const { entries, formats } = read([...first, 'no time', ...second].join('\n'))
      expect(entries.length).toBe(320)
      expect(entries[19].text).toBe('a19\nno time')
      expect(entries[20]).toEqual({ timestamp: T(0), text: second[0], line: 22 })
      expect(entries.at(-1)).toMatchObject({ text: second.at(-1), line: 321 })
      expect(formats).toEqual(['rfc3339', 'iso'])
    })

    it('is read the same for any division of the data and with any line end', () => {
      for (const lineEnd of ['\n', '\r\n']) {
        const log = [...first, ...second, ...docker, ...first, ...second, ...second].join(lineEnd)
        const whole = read(log)
        const cuts = Array.from({ length: 40 }, (_cut, i) => i * 1511)
        expect(read(log, { cuts, restore: true })).toEqual({ ...whole, folded: expect.any(Number) })
        expect(whole.formats).toEqual(['rfc3339', 'iso', 'json-time'])
        expect(whole.entries.length).toBe(1240)
      }
    })

    it('may have other lines than records after a container format: each is an entry', () => {
      const { entries } = read([...docker, ...second, 'no time', '\tat x'].join('\n'))
      expect(entries.length).toBe(602)
      expect(entries[299].text).toBe('d299')
      expect(entries.slice(300, 600).map(({ text }) => text)).toEqual(second)
      expect(entries[599].timestamp).toBe(BigInt(Date.UTC(2026, 2, 1, 12, 59)) * 1_000_000n)
      expect(entries[600]).toMatchObject({ text: 'no time', timestamp: entries[599].timestamp })
    })

    it('keeps its format through a long stack trace', () => {
      const trace = Array.from({ length: 1000 }, (_line, i) => `\tat com.example.Main.run(Main.java:${i})`)
      const { entries, folded } = read([...first, ...trace, ...first].join('\n'))
      expect(entries.length).toBe(40)
      expect(entries[19].text.split('\n').length).toBe(1001)
      expect(folded).toBe(1000)
    })

    it('may begin with a few lines of another format, however far away', () => {
      const { entries } = read(['2019-05-01 12:00:00 boot', 'boot 2', ...first].join('\n'))
      expect(entries.map(({ text }) => text).slice(0, 3)).toEqual(['2019-05-01 12:00:00 boot\nboot 2', 'a0', 'a1'])
    })

    it('has dates of its own after clocks without a date', () => {
      const clocks = Array.from({ length: 20 }, (_line, i) => `12:00:${String(i).padStart(2, '0')} c${i}`)
      expect(texts([...clocks, '2019-05-01 12:00:00 a', ...clocks.slice(0, 1)])).toEqual([
        ...clocks,
        '2019-05-01 12:00:00 a',
        clocks[0],
      ])
    })

    it('has the same text for a line with RFC 3339, whichever format has found its time', () => {
      const line = `${at(5)} text`
      expect(texts(['2026-03-01T12:00:01,5 a', line, `web1 ${at(6)} b`, `${at(7)}\tc`, line])).toEqual([
        '2026-03-01T12:00:01,5 a',
        'text',
        `web1 ${at(6)} b`,
        `${at(7)}\tc`,
        'text',
      ])
    })

    it.each([
      ['INFO 2026-03-01 12:00:06 x', true],
      ['[main] WARN: 2026-03-01 12:00:06 x', true],
      ['web1 app[7]: Mar  1 12:00:06 x', true],
      ['nova-api.log 2026-03-01 12:00:06 x', true],
      ['db  | 2026-03-01 12:00:06 x', true],
      ['db  a| 2026-03-01 12:00:06 x', false],
      ['info: 2026-03-01 12:00:06 x', true],
      ['NotAfter: 2026-03-01 12:00:06', false],
      ['Caused by: a.b.C: NotAfter: Sun Mar  1 12:00:06 UTC 2026', false],
      ['java.lang.Exception: 2026-03-01 12:00:06 is not a date', false],
      ['started at 2026-03-01 12:00:06', false],
      ['Date: Sun, 01 Mar 2026 12:00:06 GMT', false],
    ])('has an entry for a date after words that loggers write: %s', (line, isEntry) => {
      const trace = texts([...first, line, 'more'])
      expect(trace.length).toBe(isEntry ? 21 : 20)
      // The same words decide about the lines after it.
      expect(texts([...first, 'INFO 2026-03-01 12:00:05 x', 'info: 2026-03-01 12:00:06 x', line]).length).toBe(
        isEntry ? 23 : 22,
      )
    })

    it('is read in at most 32 formats; lines of further ones are entries too', () => {
      const lines = FORMATS.filter(({ rank, expected }) => rank > RANK.weak && expected.startsWith('2026-03-01'))
        .filter(({ at: place, text }) => !text && !(typeof place === 'object' && 'upto' in place))
        .flatMap(({ example }) => [example, example])
      const { entries, formats } = read([...first, ...lines].join('\n'), { options: { now: EXAMPLE_NOW } })
      expect(lines.length).toBeGreaterThan(150)
      expect(entries.length).toBe(first.length + lines.length)
      expect(formats.length).toBe(32)
    })

    describe('in many lines that one line alone does not prove', () => {
      const clocks = Array.from({ length: 200 }, (_line, i) => `12:${String(i % 60).padStart(2, '0')}:00 c${i}`)
      const later = Array.from(
        { length: 200 },
        (_line, i) => `[2026-03-05 12:${String(i % 60).padStart(2, '0')}:00] l${i}`,
      )

      it.each([
        ['clocks without a date', clocks, 'clock'],
        ['a format after a long pause', later, 'iso-bracket'],
      ])('has an entry for each of %s', (_name, lines, name) => {
        const log = [...first, 'folded \\', 'too', ...lines, ...first].join('\n')
        const { entries, formats, folded, flags } = read(log)
        expect(entries.map(({ text }) => text)).toEqual([
          ...first.slice(0, 19).map((line) => line.slice(21)),
          'a19\nfolded \\\ntoo',
          ...lines,
          ...first.map((line) => line.slice(21)),
        ])
        expect(entries[20].line).toBe(23)
        expect(formats).toEqual(['rfc3339', name])
        expect(folded).toBe(2)
        expect(flags.filter((flag) => flag !== 0)).toEqual([1])
        expect(read(log, { cuts: [500, 900, 2000, 3500, 3600], restore: true }).entries).toEqual(entries)
      })
    })
  })
})
