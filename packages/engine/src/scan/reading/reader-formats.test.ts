import { describe, expect, it } from 'vitest'
import { READING_KERNELS } from '../../../test/reading/kernels.js'
import { NOW, type ReadingWay, readAll } from '../../../test/reading/read.js'
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
      const { entries, format } = read(log, { options: { timestamp } })
      expect(entries).toEqual([
        { timestamp: T(7), text: '2026-03-01T12:00:01Z <99> at 01.03.2026-12.00.07 a\nmore', line: 1 },
        { timestamp: T(8), text: '2026-03-01T12:00:02Z <99> at 01.03.2026-12.00.08 b', line: 3 },
      ])
      expect(format).toEqual({ name: 'custom', custom: timestamp })
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

  describe('a log that continues in another format', () => {
    const first = Array.from({ length: 20 }, (_line, i) => `${at(i)} a${i}`)
    const second = Array.from(
      { length: 300 },
      (_line, i) => `2026-03-01 12:${String(i % 60).padStart(2, '0')}:00,000 b${i}`,
    )
    const docker = Array.from({ length: 300 }, (_line, i) =>
      JSON.stringify({ log: `d${i}\n`, stream: 'stdout', time: at(i % 60) }),
    )

    it('is read in that format from its first line on', () => {
      const { entries, format } = read([...first, 'no time', ...second].join('\n'))
      expect(entries.length).toBe(320)
      expect(entries[19].text).toBe('a19\nno time')
      expect(entries[20]).toEqual({ timestamp: T(0), text: second[0], line: 22 })
      expect(entries.at(-1)).toMatchObject({ text: second.at(-1), line: 321 })
      expect(format?.name).toBe('iso')
    })

    it('is read the same for any division of the data and with any line end', () => {
      for (const lineEnd of ['\n', '\r\n']) {
        const log = [...first, ...second, ...docker, ...first, ...second, ...second].join(lineEnd)
        const whole = read(log)
        const cuts = Array.from({ length: 40 }, (_cut, i) => i * 1511)
        expect(read(log, { cuts, restore: true })).toEqual(whole)
        expect(whole.format?.name).toBe('iso')
      }
    })

    it('loses no line after a container format', () => {
      const log = [...docker, ...second].join('\n')
      const { entries } = read(log)
      expect(entries.length).toBe(600)
      expect(entries[299].text).toBe('d299')
      expect(entries.slice(300).map(({ text }) => text)).toEqual(second)
      expect(entries.at(-1)?.timestamp).toBe(BigInt(Date.UTC(2026, 2, 1, 12, 59)) * 1_000_000n)
    })

    it('keeps its format through a long stack trace', () => {
      const trace = Array.from({ length: 1000 }, (_line, i) => `\tat com.example.Main.run(Main.java:${i})`)
      const { entries } = read([...first, ...trace, ...first].join('\n'))
      expect(entries.length).toBe(40)
      expect(entries[19].text.split('\n').length).toBe(1001)
    })
  })
})
