import { describe, expect, it } from 'vitest'
import { createTuning } from './tuning.js'

const BLOCK = 1024 * 1024
const GROUPS = BLOCK / 16

/** How often the tables are made anew over blocks with this share of groups that raise an alarm. */
function refills(shares: readonly number[]): number {
  const tuning = createTuning()
  return shares.filter((share) => tuning.observe(BLOCK, share * GROUPS)).length
}

const times = (count: number, share: number) => Array.from({ length: count }, () => share)

describe('tuning', () => {
  it('leaves the tables alone while the text stays as it is, good or bad', () => {
    expect(refills(times(2000, 0.01))).toBe(0)
    expect(refills(times(2000, 0.5))).toBe(0)
  })

  it('leaves them alone while a change costs little', () => {
    expect(refills([...times(100, 0.001), ...times(100, 0.02)])).toBe(0)
  })

  it('makes them anew when the alarms multiply', () => {
    expect(refills([...times(100, 0.02), ...times(100, 0.2)])).toBe(1)
    expect(refills([...times(100, 0.02), ...times(100, 0.2), ...times(100, 0.5)])).toBe(2)
  })

  it('gives up on text that changes all the time', () => {
    const changing = Array.from({ length: 4096 }, (_, block) => (block % 8 < 4 ? 0.01 : 0.5))
    expect(refills(changing)).toBeLessThan(8)
  })

  it('takes what comes after a restart for usual', () => {
    const tuning = createTuning()
    for (let block = 0; block < 100; block++) tuning.observe(BLOCK, 0)
    tuning.restart()
    expect(times(100, 0.5).filter((share) => tuning.observe(BLOCK, share * GROUPS))).toEqual([])
  })

  it('does not judge by a few lines', () => {
    const tuning = createTuning()
    tuning.observe(BLOCK, 0)
    const answers = Array.from({ length: 10_000 }, () => tuning.observe(1000, 60))
    expect(answers).not.toContain(true)
  })
})
