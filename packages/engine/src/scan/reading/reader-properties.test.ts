import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainReadingKernel, READING_KERNELS, wasmReadingKernel } from '../../../test/reading/kernels.js'
import { ANY_LOG, CUTS, EVERY_RULE, logOf, MIXED_LOG, SHAPES } from '../../../test/reading/logs.js'
import { NOW, readAll } from '../../../test/reading/read.js'
import { slowContainers } from '../../../test/reading/slow-containers.js'
import { fromLatin1, latin1 } from '../../../test/reading/slow-lines.js'
import { slowMixed } from '../../../test/reading/slow-mixed.js'
import { FORMATS } from '../../time/formats.js'
import { createReader, type EntryBatch } from './reader.js'
import type { ReadingKernel } from './source.js'

describe.each(READING_KERNELS)('the reader on the %s kernel', (_, makeKernel) => {
  it.each(['cri', 'docker'] as const)('reads %s like the oracle, for any division of the data', (name) => {
    fc.assert(
      fc.property(logOf(SHAPES[name]), CUTS, fc.boolean(), (data, cuts, restore) => {
        const { entries, flags } = readAll(makeKernel, data, { cuts, restore, options: { formats: [{ name }] } })
        const expected = slowContainers(latin1(data), name, NOW)
        expect(entries.map((entry, i) => ({ ...entry, flags: flags[i] }))).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })

  it('reads logs of several formats like the oracle, for any division of the data', () => {
    fc.assert(
      fc.property(MIXED_LOG, CUTS, fc.boolean(), (data, cuts, restore) => {
        const { entries, flags, formats, folded } = readAll(makeKernel, data, { cuts, restore })
        const expected = slowMixed(latin1(data), NOW)
        expect(entries.map((entry, i) => ({ ...entry, flags: flags[i] }))).toEqual(expected.entries)
        expect(formats).toEqual(expected.formats)
        if (!restore) expect(folded).toBe(expected.folded)
      }),
      { numRuns: 60 },
    )
  })

  it('reads a log of several formats the same when it is divided at any byte', () => {
    const kernel = makeKernel()
    const reader = createReader(kernel, { now: NOW })
    const whole = slowMixed(latin1(EVERY_RULE), NOW).entries.map(({ text, line }) => `${line} ${text}`)
    for (let cut = 0; cut <= EVERY_RULE.length; cut++) {
      const entries: string[] = []
      const deliver = ({ count, line, textStart, textEnd }: EntryBatch) => {
        for (let i = 0; i < count; i++) {
          entries.push(`${line[i]} ${latin1(kernel.memory.u8.subarray(textStart[i], textEnd[i]))}`)
        }
      }
      reader.push(EVERY_RULE.subarray(0, cut), deliver)
      const snapshot = reader.snapshot()
      if (cut % 2 === 0) reader.reopen(undefined, undefined, snapshot)
      reader.push(EVERY_RULE.subarray(cut), deliver)
      reader.end(deliver)
      expect(entries).toEqual(whole)
      reader.reopen()
    }
  })

  it('decides and reads the same for any division of the data', () => {
    fc.assert(
      fc.property(ANY_LOG, CUTS, fc.boolean(), (data, cuts, restore) => {
        expect(readAll(makeKernel, data, { cuts, restore })).toEqual(readAll(makeKernel, data))
      }),
      { numRuns: 40 },
    )
  })
})

/** The entries in kernel memory, batch by batch: addresses, times and lines. */
function traceOf(kernel: ReadingKernel, data: Uint8Array, cut: number) {
  const batches: unknown[] = []
  const deliver = ({ count, textStart, textEnd, timestamp, line, flags }: EntryBatch) =>
    batches.push([count, [...textStart], [...textEnd], [...timestamp], [...line], [...flags]])
  const reader = createReader(kernel, { now: NOW })
  reader.push(data.subarray(0, cut), deliver)
  const snapshot = reader.snapshot()
  reader.push(data.subarray(cut), deliver)
  reader.end(deliver)
  return { batches, snapshot, lines: reader.lines, formats: reader.formats, folded: reader.folded }
}

/** A line like the example of a format, with a few bytes changed or with colours. */
function nearly(example: string): fc.Arbitrary<string> {
  const colour = fc.constantFrom('', '', '', '\x1b[2m', '\x1b[1;31m\x1b[0m', '\x1b[', '\x1b[7')
  const byte = fc.constantFrom('0', '9', '3', ':', '-', '.', ' ', 'Z', '+', '', '\xff')
  const changes = fc.array(fc.tuple(fc.nat(example.length), byte), { maxLength: 2 })
  return fc
    .tuple(colour, changes)
    .map(([start, all]) => all.reduce((line, [at, to]) => line.slice(0, at) + to + line.slice(at + 1), start + example))
}

/** A Docker record whose log has escapes, unescaped quotes and plain text. */
const PIECES = [
  '\\"',
  '\\"',
  '\\"key\\":',
  'a',
  'sixteen bytes on',
  '\\\\',
  '\\t',
  '\\n',
  '\\u003c',
  '\\u001b[31m',
  '\\u001B]8;;x\\u0007',
  '\\u005c',
  '"',
  '\\',
  '\r',
  'é',
]
const BETWEEN = '","stream":"stdout","time":"'
const DOCKER_RECORD = fc
  .tuple(
    fc.array(
      fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...PIECES.slice(0, 5)) }, fc.constantFrom(...PIECES, BETWEEN)),
    ),
    fc.constantFrom('\\n', '\\n', '\\r\\n', '\r\\n', '\\\\n', ''),
    fc.constantFrom(
      '2026-03-01T12:00:01.003330206Z',
      '2026-03-01T12:00:02Z',
      '2026-03-01T12:00:02.123456789+01:00',
      '\\"Z',
      '"',
    ),
    fc.constantFrom('"}', '"}', '"}', '"} ', '\\"}', '}'),
  )
  .map(([pieces, end, time, close]) => `{"log":"${pieces.join('')}${end}${BETWEEN}${time}${close}`)

/** Lines in which the part before the time differs, is missing, or is repeated. */
const LEADS = {
  'syslog-5424': ['<1>1 ', '<34>1 ', '<191>2  ', '<34>1', '<>1 ', '<34>1 <34>1 ', '<34', ''],
  'level-iso': ['INFO: ', 'warn|', 'E:   ', ': ', 'INFO INFO: ', 'INFO: INFO: ', ''],
} as const
const LED_LOG = fc.constantFrom(...Object.keys(LEADS)).chain((name) => {
  const lead = fc.constantFrom(...LEADS[name as keyof typeof LEADS])
  const second = fc.constantFrom('00:01', '00:59', '00:61', '01:00')
  const line = fc.tuple(lead, second).map(([start, end]) => `${start}2026-03-01T12:${end}.5Z web1`)
  return fc.tuple(fc.constant(name), fc.array(line, { maxLength: 40 }))
})

describe('the two kernels', () => {
  it('read the same Docker records', () => {
    fc.assert(
      fc.property(fc.array(DOCKER_RECORD, { minLength: 1, maxLength: 20 }), (records) => {
        const data = new TextEncoder().encode(records.join('\n'))
        const options = { formats: [{ name: 'docker' }] }
        expect(readAll(wasmReadingKernel, data, { options })).toEqual(readAll(plainReadingKernel, data, { options }))
      }),
      { numRuns: 80 },
    )
  })

  it('find the same times after any lead', () => {
    fc.assert(
      fc.property(LED_LOG, ([name, lines]) => {
        const data = fromLatin1(lines.join('\n'))
        const options = { formats: [{ name }] }
        expect(readAll(wasmReadingKernel, data, { options })).toEqual(readAll(plainReadingKernel, data, { options }))
      }),
      { numRuns: 80 },
    )
  })

  it('find the same times in every format', () => {
    const log = fc
      .constantFrom(...FORMATS)
      .chain((row) => fc.tuple(fc.constant(row.name), fc.array(nearly(row.example), { minLength: 5, maxLength: 12 })))
    fc.assert(
      fc.property(log, ([name, lines]) => {
        const data = fromLatin1(lines.join('\n'))
        const options = { formats: [{ name }] }
        expect(readAll(wasmReadingKernel, data, { options })).toEqual(readAll(plainReadingKernel, data, { options }))
      }),
      { numRuns: 200 },
    )
  })

  it('write the same entries to memory', () => {
    fc.assert(
      fc.property(ANY_LOG, fc.nat(5000), (data, cut) => {
        expect(traceOf(wasmReadingKernel(), data, cut)).toEqual(traceOf(plainReadingKernel(), data, cut))
      }),
      { numRuns: 40 },
    )
  })
})
