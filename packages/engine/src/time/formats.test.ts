import { describe, expect, it } from 'vitest'
import { EXAMPLE_NOW, FORMATS, programOf } from './formats.js'
import { runTime } from './run.js'
import { utcClock, yearLimit } from './wall-clock.js'

const encoder = new TextEncoder()

function nanosecondsOf(iso: string): bigint {
  const [, whole, fraction = ''] = /^(.{19})(?:\.(\d+))?Z$/.exec(iso) ?? []
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

describe('the table of formats', () => {
  it('has distinct names', () => {
    expect(new Set(FORMATS.map((row) => row.name)).size).toBe(FORMATS.length)
    expect(FORMATS.length).toBeGreaterThanOrEqual(80)
  })

  it.each(FORMATS.filter((row) => row.text !== 'docker').map((row) => [row.name, row] as const))(
    'reads the example of %s',
    (_, row) => {
      const bytes = encoder.encode(row.example)
      const found = { seconds: 0, nanos: 0, start: 0, end: 0 }
      expect(runTime(programOf(row), bytes, 0, bytes.length, utcClock(yearLimit(EXAMPLE_NOW)), found)).toBe(true)
      expect(BigInt(found.seconds) * 1_000_000_000n + BigInt(found.nanos)).toBe(nanosecondsOf(row.expected))
    },
  )
})
