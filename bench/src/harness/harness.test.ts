import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countHits, findSubject } from '../suites/tool/subject.js'
import { toolSuite } from '../suites/tool/suite.js'
import { countFlag, readOptions, readSize, showSize, sizeFlag, usage } from './options.js'
import { failureLine, headingOf, lineOf } from './table.js'
import { atLeast, atMost, isReached, showMeasured } from './verdict.js'

describe('a ratio', () => {
  it('is cut, not rounded', () => {
    expect(showMeasured({ measured: 1.999, goal: atLeast(2) })).toBe('1.99')
    expect(showMeasured({ measured: 2.999, goal: atLeast(2) })).toBe('2.99')
    expect(showMeasured({ measured: 2, goal: atLeast(2) })).toBe('2.00')
  })

  it('shows as many digits as are needed to see that a limit was passed', () => {
    expect(showMeasured({ measured: 1.3004, goal: atMost(1.3) })).toBe('1.3004')
    expect(showMeasured({ measured: 1.31, goal: atMost(1.3) })).toBe('1.31')
  })

  it('never looks reached when it is not, nor the other way round', () => {
    const goals = fc.constantFrom(atLeast(2), atLeast(1.6), atMost(1.3), atMost(5), atLeast(0.1))
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), goals, (measured, goal) => {
        const shown = Number(showMeasured({ measured, goal }))
        expect(shown).toBeLessThanOrEqual(measured)
        expect(isReached({ measured: shown, goal })).toBe(isReached({ measured, goal }))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a line of the table', () => {
  const figure = { name: 'rg', seconds: 1, all: [1], peak: 2 ** 20, output: '' }
  const result = {
    row: 'scan',
    work: 'all rules',
    subject: { ...figure, seconds: 0.50001 },
    opponent: figure,
    bytes: 400e6,
    measured: 1 / 0.50001,
    goal: atLeast(2),
    notes: ['one thing'],
  }

  it('says that a goal was not reached, and shows no time shorter and no speed higher than it was', () => {
    expect(lineOf(toolSuite.columns, result)).toMatch(
      /^scan +all rules +500\.1 ms +799 +1 MiB +rg +1000\.0 ms +1 MiB +1\.99 × at least 2 × +NOT reached$/,
    )
  })

  it('says that a goal was reached', () => {
    expect(lineOf(toolSuite.columns, { ...result, measured: 2.5 })).toContain('2.50 × at least 2 ×       reached')
  })

  it('has the width of its heading', () => {
    const [titles, rule] = headingOf(toolSuite.columns).split('\n')
    expect(titles).toMatch(/^row +work +omen +MB\/s +peak +opponent +its time +peak +ratio goal/)
    expect(rule).toHaveLength(toolSuite.columns.reduce((sum, { width }) => sum + width + 1, -1))
  })

  it('gives the reason when a row could not be measured', () => {
    expect(failureLine(toolSuite.columns, 'start', 'no\nprogram')).toBe('start     NOT measured: no program')
  })
})

describe('the command line', () => {
  const flags = {
    size: sizeFlag('400MB', 'the size'),
    runs: countFlag(5, 'runs'),
    containers: countFlag(50, 'pods', 40),
  }
  const rows = ['scan', 'start', 'memory']

  it('measures everything with the defaults when it is empty', () => {
    expect(readOptions([], flags, rows)).toEqual({
      size: 400e6,
      runs: 5,
      containers: 50,
      only: [],
      json: false,
      help: false,
    })
  })

  it('takes rows one by one or with commas', () => {
    expect(readOptions(['--only', 'scan,start', '--only', 'memory'], flags, rows).only).toEqual(rows)
  })

  it.each([
    [['--only', 'scna'], 'there is no row "scna"; the rows are scan, start, memory'],
    [['--runs', '0'], '--runs takes a number from 1, not "0"'],
    [['--runs', 'many'], '--runs takes a number from 1, not "many"'],
    [['--containers', '3'], '--containers takes a number from 40, not "3"'],
    [['--size', 'large'], 'not a size: "large"'],
  ])('rejects %j with a message', (argv, message) => {
    expect(() => readOptions(argv, flags, rows)).toThrow(message)
  })

  it('has a help with every flag and row', () => {
    const help = usage('bench', flags, [{ name: 'scan', about: 'all rules' }])
    for (const text of ['--size <size>', '(400MB)', '--runs <n>', '--subject <file>', 'scan', 'all rules'])
      expect(help).toContain(text)
  })

  it.each([
    ['400MB', 400e6],
    ['4GB', 4e9],
    ['64 MiB', 64 * 2 ** 20],
    ['1.5mb', 1.5e6],
    ['1000', 1000],
  ])('reads the size %s', (text, size) => {
    expect(readSize(text)).toBe(size)
  })

  it.each(['', 'MB', '0MB', '-1MB', '4 parsecs', '1e6'])('rejects "%s" as a size', (text) => {
    expect(() => readSize(text)).toThrow('not a size')
  })

  it('shows sizes as it reads them', () => {
    for (const size of [400e6, 4e9, 2.5e6]) expect(readSize(showSize(size))).toBe(size)
  })
})

describe('the tool under test', () => {
  it('is reported as not built when it is missing', () => {
    expect(() => findSubject('/nowhere/omen.js')).toThrow('the tool is not built: /nowhere/omen.js is missing')
  })

  it('has its hits added up over all problems', () => {
    const summary = 'CRE-2026-0001 critical [3 hits @ 2026-03-01T12:00:01Z]\nCRE-2026-0002 low [40 hits @ 2026]\n'
    expect(countHits(summary)).toBe(43)
  })
})
