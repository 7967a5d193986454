import { describe, expect, test } from 'vitest'
import { ruleWith, unless, wants } from '../../test/rules-for-tests.js'
import type { CompiledRule } from '../rules/compiled.js'
import type { Entry } from './detection.js'
import { createMatcher, type Detection, type MatcherOptions } from './matcher.js'

const [A, B, C, N] = [0, 1, 2, 3]

/** Runs rules over a log given as times and conditions; hits are shown as times. */
function start(rules: readonly CompiledRule[], options: Partial<MatcherOptions> = {}) {
  const found: Detection[] = []
  const matcher = createMatcher(rules, { ...options, emit: (detection) => found.push(detection) })
  let clock = -1_000_000n
  let line = 0
  return {
    matcher,
    found,
    see(time: number, ...conditions: number[]): void {
      const timestamp = BigInt(time)
      if (timestamp > clock) clock = timestamp
      matcher.arrive({ timestamp, text: `at ${time}`, line: ++line }, clock, conditions, conditions.length)
    },
    /** The detections since the last call: the rule's index and the times of its hits. */
    fired: () =>
      found.splice(0).map(({ ruleIndex, hits }) => [ruleIndex, ...hits.map(({ entry }) => Number(entry.timestamp))]),
  }
}

describe('a set of one condition', () => {
  test('fires for every entry that meets it, at any time', () => {
    const { see, fired } = start([ruleWith({ terms: [wants(A)] })])
    see(5, A)
    see(3, A)
    see(4)
    expect(fired()).toEqual([
      [0, 5],
      [0, 3],
    ])
  })

  test('does not read the text of the entry', () => {
    const found: Detection[] = []
    const matcher = createMatcher([ruleWith({ terms: [wants(A)] })], { emit: (detection) => found.push(detection) })
    const entry: Entry = {
      timestamp: 1n,
      line: 1,
      get text(): string {
        throw new Error('read')
      },
    }
    matcher.arrive(entry, 1n, [A], 1)
    expect(found[0]?.hits[0]?.entry).toBe(entry)
  })

  test('uses only the first `length` conditions', () => {
    const { matcher, fired } = start([ruleWith({ terms: [wants(A)] }), ruleWith({ terms: [wants(B)] })])
    matcher.arrive({ timestamp: 1n, text: '', line: 1 }, 1n, new Uint16Array([A, B]), 1)
    expect(fired()).toEqual([[0, 1]])
  })

  test('ignores a condition that no rule has', () => {
    const { see, fired } = start([ruleWith({ terms: [wants(A)] })])
    see(1, 99)
    see(1, A, 99)
    expect(fired()).toEqual([[0, 1]])
  })
})

describe('a rule with state', () => {
  test('lists the hits in the order of its conditions, with the condition of each', () => {
    const { see, found } = start([ruleWith({ window: 5n, terms: [wants(B), wants(A, 2)] })])
    see(1, A)
    see(2, B)
    see(3, A)
    expect(found[0]?.hits.map(({ entry, term }) => [term, entry.text])).toEqual([
      [0, 'at 2'],
      [1, 'at 1'],
      [1, 'at 3'],
    ])
  })

  test('counts entries exactly the window apart as within it', () => {
    const { see, fired } = start([ruleWith({ window: 5n, terms: [wants(A), wants(B)] })])
    see(0, A)
    see(5, B)
    see(10, A)
    see(16, B)
    expect(fired()).toEqual([[0, 0, 5]])
  })

  test('ignores an entry from before the clock', () => {
    const { see, fired } = start([ruleWith({ window: 5n, terms: [wants(A), wants(B)] })])
    see(3, A)
    see(2, B)
    see(3, B)
    expect(fired()).toEqual([[0, 3, 3]])
  })

  test('reads the text of an entry when it keeps it', () => {
    let readable = true
    const entry: Entry = {
      timestamp: 1n,
      line: 1,
      get text(): string {
        if (!readable) throw new Error('the buffer was overwritten')
        Object.defineProperty(this, 'text', { value: 'kept' })
        return 'kept'
      },
    }
    const { matcher, see, found } = start([ruleWith({ window: 5n, terms: [wants(A), wants(B)] })])
    matcher.arrive(entry, 1n, [A], 1)
    readable = false
    see(2, B)
    expect(found[0]?.hits[0]?.entry.text).toBe('kept')
  })

  test('shares one entry among all rules that keep it', () => {
    const both = ruleWith({ window: 5n, terms: [wants(A), wants(B)] })
    const { see, found } = start([both, both])
    see(1, A, B)
    expect(new Set(found.flatMap(({ hits }) => hits.map(({ entry }) => entry))).size).toBe(1)
  })
})

describe('a rule with negation', () => {
  const lonely = ruleWith({ terms: [wants(A)], negate: [unless(N, { window: 5n })] })

  test('fires at the first entry after its deadline', () => {
    const { matcher, see, fired } = start([lonely])
    see(0, A)
    see(5)
    expect([fired(), matcher.deadline]).toEqual([[], 5n])
    see(6)
    expect([fired(), matcher.deadline]).toEqual([[[0, 0]], undefined])
  })

  test.each([
    ['at the time of its anchor', 0, []],
    ['at the last moment', 5, []],
    ['too late', 6, [[0, 0]]],
  ])('is decided correctly with a negate entry %s', (_, time, expected) => {
    const { matcher, see, fired } = start([lonely])
    see(0, A)
    see(time, N)
    matcher.end()
    expect(fired()).toEqual(expected)
  })

  test('is not detected with a negate entry before its first one if the slide reaches it', () => {
    const { see, fired } = start([ruleWith({ terms: [wants(A)], negate: [unless(N, { slide: -3n })] })])
    see(1, N)
    see(4, A)
    see(5, A)
    expect(fired()).toEqual([[0, 5]])
  })

  test('is decided by the clock without an entry', () => {
    const { matcher, see, fired } = start([lonely])
    see(0, A)
    matcher.advance(5n)
    expect(fired()).toEqual([])
    matcher.advance(6n)
    expect(fired()).toEqual([[0, 0]])
  })

  test('is decided at the end of the data', () => {
    const { matcher, see, fired } = start([lonely])
    see(0, A)
    see(1, A)
    matcher.end()
    expect([fired(), matcher.deadline, matcher.size]).toEqual([
      [
        [0, 0],
        [0, 1],
      ],
      undefined,
      0,
    ])
  })

  test('keeps an entry exactly the window old when older ones of its condition are dropped', () => {
    const { matcher, see, fired } = start([
      ruleWith({ kind: 'sequence', window: 5n, terms: [wants(A), wants(B)], negate: [unless(N)] }),
    ])
    see(-3, A)
    see(0, A)
    see(5, A)
    see(5, B)
    matcher.end()
    expect(fired()).toEqual([[0, 0, 5]])
  })
})

describe('a multiplicity', () => {
  test('may be larger than the limit of entries', () => {
    for (const kind of ['set', 'sequence'] as const) {
      const terms = [wants(A, 2_000_000_000), wants(B)]
      const { matcher, see, fired } = start([ruleWith({ kind, window: 5n, terms, negate: [unless(N, { anchor: 9 })] })])
      see(1, A, B)
      matcher.end()
      expect(fired()).toEqual([])
    }
  })
})

describe('several rules', () => {
  const waiting = ruleWith({ terms: [wants(A)], negate: [unless(N, { window: 5n })] })
  const plain = ruleWith({ terms: [wants(B)] })

  test('fire in their order at one entry, including rules that waited for it', () => {
    const { see, fired } = start([plain, waiting, plain, waiting, ruleWith({ terms: [wants(C)] })])
    see(0, A)
    see(9, B, C)
    expect(fired()).toEqual([
      [0, 9],
      [1, 0],
      [2, 9],
      [3, 0],
      [4, 9],
    ])
  })

  test('fire in their order even if their conditions have another order', () => {
    const { see, fired } = start([ruleWith({ terms: [wants(C)] }), ruleWith({ terms: [wants(A)] })])
    see(1, A, C)
    expect(fired()).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  test('have the earliest deadline of all', () => {
    const { matcher, see } = start([waiting, ruleWith({ terms: [wants(B)], negate: [unless(N, { window: 2n })] })])
    see(0, A)
    expect(matcher.deadline).toBe(5n)
    see(1, B)
    expect(matcher.deadline).toBe(3n)
    see(4)
    expect(matcher.deadline).toBe(5n)
  })

  test('are decided at an entry before the clock too, if the clock moved without an entry', () => {
    const { matcher, see, fired } = start([waiting])
    see(0, A)
    matcher.arrive({ timestamp: 2n, text: '', line: 2 }, 9n, [N], 1)
    expect(fired()).toEqual([[0, 0]])
  })
})

describe('a snapshot', () => {
  const rules = [
    ruleWith({ terms: [wants(A)] }),
    ruleWith({ window: 5n, terms: [wants(A), wants(B)] }),
    ruleWith({ kind: 'sequence', window: 50n, terms: [wants(A), wants(C)], negate: [unless(N, { window: 9n })] }),
  ]

  test('of a matcher without entries is empty', () => {
    const { matcher } = start(rules)
    expect(matcher.snapshot()).toEqual({ entries: [], rules: [] })
  })

  test('lists an entry once and omits entries that are too old', () => {
    const { matcher, see } = start(rules)
    see(1, A)
    see(6, N)
    expect(matcher.snapshot()).toEqual({
      clock: '6',
      entries: [['1', 1, 'at 1']],
      rules: [
        { rule: 1, collected: [[0], []], objections: [] },
        { rule: 2, collected: [[0], []], objections: [['6']] },
      ],
    })
    see(7)
    expect(matcher.snapshot().rules.map(({ rule }) => rule)).toEqual([2])
  })

  test('contains the waiting candidates', () => {
    const first = start(rules)
    first.see(1, A)
    first.see(6, C)
    first.see(7)
    const snapshot = JSON.parse(JSON.stringify(first.matcher.snapshot()))
    const second = start(rules, { snapshot })
    expect([second.matcher.deadline, second.matcher.size]).toEqual([15n, 2])
    second.matcher.advance(16n)
    expect(second.fired()).toEqual([[2, 1, 6]])
  })

  test('of other rules is refused', () => {
    const { matcher, see } = start(rules)
    see(1, A)
    expect(() => start([ruleWith({ terms: [wants(A)] })], { snapshot: matcher.snapshot() })).toThrow(
      'does not belong to these rules',
    )
  })
})
