import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readOptions, readSize, showSize } from './options.js'
import { countHits, findSubject } from './subject.js'
import { tableLine } from './table.js'
import { atLeast, atMost, cut, isReached, type Result } from './verdict.js'

describe('a ratio', () => {
  it('is cut, not rounded', () => {
    expect(cut(1.999, atLeast(2))).toBe('1.99')
    expect(cut(2.999, atLeast(2))).toBe('2.99')
    expect(cut(2, atLeast(2))).toBe('2.00')
  })

  it('shows as many digits as it takes to see that a limit was passed', () => {
    expect(cut(1.3004, atMost(1.3))).toBe('1.3004')
    expect(cut(1.31, atMost(1.3))).toBe('1.31')
  })

  it('never shows another verdict than its own', () => {
    const goals = fc.constantFrom(atLeast(2), atLeast(1.6), atMost(1.3), atMost(5), atLeast(0.1))
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), goals, (measured, goal) => {
        const shown = Number(cut(measured, goal))
        expect(shown).toBeLessThanOrEqual(measured)
        expect(isReached(shown, goal)).toBe(isReached(measured, goal))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a line of the table', () => {
  const figure = { name: 'rg', seconds: 1, all: [1], peak: 2 ** 20, output: '' }
  const result: Result = {
    row: 'scan',
    work: 'all rules',
    subject: { ...figure, seconds: 0.50001 },
    opponent: figure,
    bytes: 400e6,
    measured: 1 / 0.50001,
    goal: atLeast(2),
    notes: ['one thing'],
  }

  it('says what was not reached, and shows no time shorter and no speed higher than it was', () => {
    const [first, note] = tableLine(result).split('\n')
    expect(first).toMatch(
      /^scan +all rules +500\.1 ms +799 +1 MiB +rg +1000\.0 ms +1 MiB +1\.99 × at least 2 × +NOT reached$/,
    )
    expect(note?.trim()).toBe('· one thing')
  })

  it('says what was reached', () => {
    expect(tableLine({ ...result, measured: 2.5 })).toContain('2.50 × at least 2 ×       reached')
  })
})

describe('the command line', () => {
  it.each([
    ['400MB', 400e6],
    ['4GB', 4e9],
    ['64 MiB', 64 * 2 ** 20],
    ['1.5mb', 1.5e6],
    ['1000', 1000],
  ])('takes %s for a size', (text, size) => {
    expect(readSize(text)).toBe(size)
  })

  it.each(['', 'MB', '0MB', '-1MB', '4 parsecs', '1e6'])('refuses "%s" as a size', (text) => {
    expect(() => readSize(text)).toThrow('not a size')
  })

  it('shows sizes as it takes them', () => {
    for (const size of [400e6, 4e9, 2.5e6]) expect(readSize(showSize(size))).toBe(size)
  })

  it('takes rows one by one or with commas, and refuses an unknown one', () => {
    expect(readOptions(['--only', 'a,b', '--only', 'c'], ['a', 'b', 'c']).only).toEqual(['a', 'b', 'c'])
    expect(() => readOptions(['--only', 'd'], ['a', 'b'])).toThrow('there is no row "d"; the rows are a, b')
    expect(() => readOptions(['--runs', '0'], [])).toThrow('--runs takes a number from 1')
  })
})

describe('the tool under test', () => {
  it('is told to be built when it is missing', () => {
    expect(() => findSubject('/nowhere/omen.js')).toThrow('the tool is not built: /nowhere/omen.js is missing')
  })

  it('lists its hits problem by problem', () => {
    const summary = 'CRE-2026-0001 critical [3 hits @ 2026-03-01T12:00:01Z]\nCRE-2026-0002 low [40 hits @ 2026]\n'
    expect(countHits(summary)).toBe(43)
  })
})
