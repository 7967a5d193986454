import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainReadingKernel, READING_KERNELS, wasmReadingKernel } from '../../../test/reading/kernels.js'
import { CUTS } from '../../../test/reading/logs.js'
import { readAll } from '../../../test/reading/read.js'
import { changesIn, localAt, slowMoments, ZONES } from '../../../test/reading/slow-zone.js'
import { createReader, type EntryBatch } from './reader.js'
import type { ReadingKernel } from './source.js'

const encoder = new TextEncoder()
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

/** The times in a log, as RFC 3339. */
function timesIn(makeKernel: () => ReadingKernel, log: string, zone: string, now = '2026-12-01T00:00:00Z'): string[] {
  const { entries } = readAll(makeKernel, encoder.encode(log), { options: { zone, now: new Date(now) } })
  return entries.map(({ timestamp }) => iso(Number(timestamp / 1_000_000_000n)))
}

const LAYOUTS = {
  iso: {
    write: (local: number) => `${iso(local).slice(0, 19).replace('T', ' ')} x`,
    options: { formats: [{ name: 'iso', shapes: 15 }] },
  },
  custom: {
    write: (local: number) => `at ${iso(local).slice(0, 19)}`,
    options: { timestamp: { regex: '^at (.+)$', format: '2006-01-02T15:04:05' } },
  },
}

/** Local times of a zone: most of them close to a change of its clocks, in any order. */
const LOCAL_TIMES = fc
  .tuple(fc.constantFrom(...ZONES), fc.integer({ min: 1990, max: 2099 }))
  .chain(([zone, year]) => {
    const anywhere = fc.integer({ min: Date.UTC(year) / 1000, max: Date.UTC(year + 1) / 1000 })
    const changes = changesIn(zone, year).map((moment) => localAt(zone, moment))
    const start = changes.length === 0 ? anywhere : fc.constantFrom(...changes)
    const minutes = fc.integer({ min: -20, max: 90 }).map((minute) => 60 * minute)
    const distance = fc.oneof(
      { weight: 12, arbitrary: minutes },
      { weight: 2, arbitrary: fc.tuple(minutes, fc.nat(90)).map(([whole, second]) => whole + second) },
      { weight: 1, arbitrary: fc.integer({ min: -2880, max: 2880 }).map((minute) => 60 * minute) },
    )
    return fc.tuple(fc.constant(zone), start, fc.array(distance, { minLength: 1, maxLength: 12 }))
  })
  .map(([zone, start, distances]) => ({ zone, locals: distances.map((distance) => start + distance) }))

describe.each(READING_KERNELS)('times without a zone on the %s kernel', (_, makeKernel) => {
  it('are UTC without an option', () => {
    const { entries } = readAll(makeKernel, encoder.encode('2026-07-01 12:00:00 x'))
    expect(entries[0].timestamp).toBe(BigInt(Date.parse('2026-07-01T12:00:00Z')) * 1_000_000n)
  })

  it.each([
    ['+02:00', '2026-07-01T10:00:00.000Z'],
    ['-0330', '2026-07-01T15:30:00.000Z'],
    ['Europe/Berlin', '2026-07-01T10:00:00.000Z'],
    ['Asia/Kathmandu', '2026-07-01T06:15:00.000Z'],
  ])('are in the zone %s', (zone, expected) => {
    expect(timesIn(makeKernel, '2026-07-01 12:00:00 x', zone)).toEqual([expected])
  })

  it('do not change the meaning of times with a zone and of epochs', () => {
    const log = '2026-07-01 12:00:00 x\n2026-07-01 12:00:00Z x\n2026-07-01 12:00:00 +0100 x\n'
    expect(timesIn(makeKernel, log, 'Europe/Berlin')).toEqual([
      '2026-07-01T10:00:00.000Z',
      '2026-07-01T12:00:00.000Z',
      '2026-07-01T11:00:00.000Z',
    ])
    expect(timesIn(makeKernel, '1782907200 x\n1782907201 x\n', 'Europe/Berlin')).toEqual([
      '2026-07-01T12:00:00.000Z',
      '2026-07-01T12:00:01.000Z',
    ])
  })

  it('are in the first pass of a repeated hour until they go back by more than half an hour', () => {
    const hour = [
      '01:59:59',
      '02:00:00',
      '02:45:00',
      '02:15:00',
      '02:59:59',
      '02:00:00',
      '02:59:59',
      '03:00:00',
      '02:59:59',
    ]
    const log = hour.map((time) => `2026-10-25 ${time} x\n`).join('')
    expect(timesIn(makeKernel, log, 'Europe/Berlin').map((time) => time.slice(11, 19))).toEqual([
      '23:59:59',
      '00:00:00',
      '00:45:00',
      '00:15:00',
      '00:59:59',
      '01:00:00',
      '01:59:59',
      '02:00:00',
      '01:59:59',
    ])
  })

  it('have the offset before a gap if clocks never show them', () => {
    const log = ['01:59:59', '02:30:00', '03:00:00'].map((time) => `2026-03-29 ${time} x\n`).join('')
    expect(timesIn(makeKernel, log, 'Europe/Berlin').map((time) => time.slice(11, 19))).toEqual([
      '00:59:59',
      '01:30:00',
      '01:00:00',
    ])
  })

  it.each(Object.entries(LAYOUTS))('are read like the oracle in the format %s', (_, { write, options }) => {
    fc.assert(
      fc.property(LOCAL_TIMES, CUTS, fc.boolean(), ({ zone, locals }, cuts, restore) => {
        const data = encoder.encode(locals.map((local) => `${write(local)}\n`).join(''))
        const { entries } = readAll(makeKernel, data, { cuts, restore, options: { ...options, zone } })
        const read = entries.map(({ timestamp }) => Number(timestamp / 1_000_000_000n))
        expect(read).toEqual(slowMoments(zone, locals))
      }),
      { numRuns: 60 },
    )
  })

  it.each(ZONES)('give the moments at which they were written, through every change of the clocks in %s', (zone) => {
    for (const year of [1996, 2011, 2026, 2037]) {
      for (const change of changesIn(zone, year)) {
        const moments = Array.from({ length: 60 }, (_, i) => change + (i - 30) * 300)
        const log = moments.map((moment) => `${iso(localAt(zone, moment)).slice(0, 19).replace('T', ' ')} x\n`).join('')
        expect(timesIn(makeKernel, log, zone)).toEqual(moments.map(iso))
      }
    }
  })

  it('without a year are at most seven days in the future in the zone', () => {
    // In Auckland it is already noon of 10 April.
    const now = '2026-04-09T23:59:00Z'
    const log = ['Apr 17 11:58:00', 'Apr 17 12:01:00', 'Apr 10 11:00:00']
      .map((time) => `${time} host app: x\n`)
      .join('')
    expect(timesIn(makeKernel, log, 'Pacific/Auckland', now)).toEqual([
      '2026-04-16T23:58:00.000Z',
      '2025-04-17T00:01:00.000Z',
      '2026-04-09T23:00:00.000Z',
    ])
  })

  it('without a date are of the last day on which the zone had them', () => {
    const now = '2026-10-25T12:00:00Z'
    const log = ['13:59:00', '14:01:00', '01:30:00'].map((time) => `${time} INFO x\n`).join('')
    expect(timesIn(makeKernel, log, 'Europe/Berlin', now)).toEqual([
      '2026-10-25T12:59:00.000Z',
      '2026-10-24T12:01:00.000Z',
      '2026-10-24T23:30:00.000Z',
    ])
  })

  it('can have a zone that is a function of the moment', () => {
    const data = encoder.encode('2026-07-01 12:00:00 x\n2026-12-01 12:00:00 x\n')
    const zone = (seconds: number) => (seconds < Date.parse('2026-09-01T00:00:00Z') / 1000 ? 7200 : 3600)
    const { entries } = readAll(makeKernel, data, { options: { zone } })
    expect(entries.map(({ timestamp }) => iso(Number(timestamp / 1_000_000_000n)))).toEqual([
      '2026-07-01T10:00:00.000Z',
      '2026-12-01T11:00:00.000Z',
    ])
  })
})

describe('a reader in a repeated hour', () => {
  const PASSED = '2026-10-25 02:50:00 x\n2026-10-25 02:10:00 x\n'
  const NEXT = '2026-10-25 02:20:00 x\n'
  const secondsOf = ({ timestamp }: EntryBatch) => Number(timestamp[0] / 1_000_000_000n)

  function read(prepare: (reader: ReturnType<typeof createReader>) => void): string {
    const reader = createReader(wasmReadingKernel(), { now: new Date('2026-12-01T00:00:00Z'), zone: 'Europe/Berlin' })
    reader.push(encoder.encode(PASSED), () => {})
    reader.end(() => {})
    prepare(reader)
    let last = 0
    reader.push(encoder.encode(NEXT), (batch) => (last = secondsOf(batch)))
    reader.end((batch) => (last = secondsOf(batch)))
    return iso(last)
  }

  it('stays in the second pass in the next file of the same log', () => {
    expect(read((reader) => reader.nextFile())).toBe('2026-10-25T01:20:00.000Z')
  })

  it('starts with the first pass in other data', () => {
    expect(read((reader) => reader.reopen())).toBe('2026-10-25T00:20:00.000Z')
    expect(read((reader) => reader.restart({ lines: 0 }))).toBe('2026-10-25T00:20:00.000Z')
  })

  it('takes the zone of the next file', () => {
    expect(read((reader) => reader.nextFile(undefined, 'Asia/Kathmandu'))).toBe('2026-10-24T20:35:00.000Z')
    expect(read((reader) => reader.reopen(undefined, '+01:00'))).toBe('2026-10-25T01:20:00.000Z')
  })
})

describe('the two kernels', () => {
  it('read the same local times in formats without a year or a date', () => {
    const write = [
      (local: number) =>
        `${new Date(local * 1000).toUTCString().slice(8, 11)} ${iso(local).slice(8, 10)} ${iso(local).slice(11, 19)} h a: x`,
      (local: number) => `${iso(local).slice(11, 19)} INFO x`,
    ]
    fc.assert(
      fc.property(
        LOCAL_TIMES,
        fc.constantFrom(...write),
        fc.date({ noInvalidDate: true, min: new Date('1990-01-01'), max: new Date('2100-01-01') }),
        ({ zone, locals }, line, now) => {
          const data = encoder.encode(locals.map(line).join('\n'))
          const options = { zone, now }
          expect(readAll(wasmReadingKernel, data, { options })).toEqual(readAll(plainReadingKernel, data, { options }))
        },
      ),
      { numRuns: 60 },
    )
  })
})
