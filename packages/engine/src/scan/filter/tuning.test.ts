import { describe, expect, it } from 'vitest'
import { createTuning } from './tuning.js'

const BLOCK = 1024 * 1024
const GROUPS = BLOCK / 16

/** How often the tables are filled again over blocks with these shares of false positive groups. */
function refills(shares: readonly number[]): number {
  const tuning = createTuning()
  return shares.filter((share) => tuning.observe(BLOCK, share * GROUPS)).length
}

const times = (count: number, share: number) => Array.from({ length: count }, () => share)

describe('the tuning of the filter', () => {
  it('keeps the tables while the rate of false positives stays the same, low or high', () => {
    expect(refills(times(2000, 0.01))).toBe(0)
    expect(refills(times(2000, 0.5))).toBe(0)
  })

  it('keeps the tables while the rate of false positives stays low', () => {
    expect(refills([...times(100, 0.001), ...times(100, 0.02)])).toBe(0)
  })

  it('fills the tables again when the rate of false positives multiplies', () => {
    expect(refills([...times(100, 0.02), ...times(100, 0.2)])).toBe(1)
    expect(refills([...times(100, 0.02), ...times(100, 0.2), ...times(100, 0.5)])).toBe(2)
  })

  it('fills the tables ever more rarely if the text changes all the time', () => {
    const changing = Array.from({ length: 4096 }, (_, block) => (block % 8 < 4 ? 0.01 : 0.5))
    expect(refills(changing)).toBeLessThan(8)
  })

  it('takes the first rate after a restart as the normal one', () => {
    const tuning = createTuning()
    for (let block = 0; block < 100; block++) tuning.observe(BLOCK, 0)
    tuning.restart()
    expect(times(100, 0.5).filter((share) => tuning.observe(BLOCK, share * GROUPS))).toEqual([])
  })

  it('ignores runs of a few lines', () => {
    const tuning = createTuning()
    tuning.observe(BLOCK, 0)
    const results = Array.from({ length: 10_000 }, () => tuning.observe(1000, 60))
    expect(results).not.toContain(true)
  })
})
