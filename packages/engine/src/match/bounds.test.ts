import { describe, expect, test } from 'vitest'
import { ruleWith, unless, wants } from '../../test/rules-for-tests.js'
import type { CompiledRule } from '../rules/compiled.js'
import { createMatcher, type Detection, type MatcherOptions } from './matcher.js'

const [A, B, C, N] = [0, 1, 2, 3]

interface Flood extends Partial<MatcherOptions> {
  readonly arrivals: number
  /** The conditions that entry number `index` meets. */
  readonly meets: (index: number) => readonly number[]
  readonly text?: string
}

/** Sends many entries, one per time step, and returns what they caused. */
function flood(rules: readonly CompiledRule[], { arrivals, meets, text = '', ...options }: Flood) {
  const warnings: string[] = []
  let reads = 0
  let largest = 0
  let last: Detection | undefined
  const matcher = createMatcher(rules, {
    warn: (message) => warnings.push(message),
    emit: (detection) => {
      last = detection
    },
    ...options,
  })
  for (let index = 0; index < arrivals; index++) {
    const timestamp = BigInt(index)
    const entry = {
      get timestamp() {
        reads++
        return timestamp
      },
      text,
      line: index + 1,
    }
    const conditions = meets(index)
    matcher.arrive(entry, timestamp, conditions, conditions.length)
    if ((index & 1023) === 0) largest = Math.max(largest, matcher.size)
  }
  return { matcher, warnings, largest, readsPerArrival: reads / arrivals, last: () => last }
}

describe('a rule on endless input', () => {
  const A_B = { window: 100n, terms: [wants(A), wants(B)] }
  const A_B_C = { kind: 'sequence', window: 100n, terms: [wants(A), wants(B), wants(C)] } as const
  const rules: [string, CompiledRule][] = [
    ['a set', ruleWith(A_B)],
    ['a set with a multiplicity', ruleWith({ window: 100n, terms: [wants(A, 1000), wants(B)] })],
    ['a sequence', ruleWith(A_B_C)],
    ['one entry with negation', ruleWith({ terms: [wants(A)], negate: [unless(N, { window: 100n })] })],
    ['a set with negation', ruleWith({ ...A_B, negate: [unless(N, { window: 100n, slide: -50n, anchor: 1 })] })],
    ['a sequence with negation', ruleWith({ ...A_B_C, negate: [unless(N, { window: 100n, slide: -50n })] })],
    [
      'a sequence with multiplicities and negation',
      ruleWith({ kind: 'sequence', window: 100n, terms: [wants(A, 2), wants(B, 3), wants(C)], negate: [unless(N)] }),
    ],
  ]
  const logs: [string, (index: number) => readonly number[]][] = [
    ['one condition', () => [A]],
    ['all but the last condition', (index) => [index % 2]],
    ['the second condition after one of the first', (index) => [index === 0 ? A : B]],
    ['the first condition after one of the second', (index) => [index < 9 ? index % 2 : A]],
    ['the negate condition', (index) => [index === 0 ? A : N]],
    ['everything', () => [A, B, C, N]],
  ]

  test.each(logs)('that meets %s keeps no more than its windows need and does not warn', (_, meets) => {
    const { largest, warnings } = flood(
      rules.map(([, rule]) => rule),
      { arrivals: 40_000, meets, limits: { entries: 2_000, characters: 1_000_000 } },
    )
    expect(largest).toBeLessThan(rules.length * 1_000)
    expect(warnings).toEqual([])
  })

  test.each(rules)('reads the entries of %s a bounded number of times', (_, rule) => {
    for (const [, meets] of logs) {
      const { readsPerArrival } = flood([rule], { arrivals: 5_000, meets })
      expect(readsPerArrival).toBeLessThan(150)
    }
  })

  test('does not evaluate a waiting candidate again for every later entry', () => {
    const rule = ruleWith({ terms: [wants(A)], negate: [unless(N, { window: 1_000_000n, slide: 500_000n })] })
    const { readsPerArrival, matcher } = flood([rule], {
      arrivals: 100_000,
      meets: (index) => [index % 50 === 0 ? N : A],
    })
    expect(matcher.size).toBeGreaterThanOrEqual(98_000)
    expect(readsPerArrival).toBeLessThan(20)
  })
})

describe('a condition that keeps too many entries', () => {
  const keepsAll = ruleWith({ cre: { id: 'CRE-2026-0042' }, window: 10_000_000n, terms: [wants(A), wants(B)] })

  test('drops the oldest beyond 100,000 and warns once, with the name of the rule', () => {
    const { warnings, matcher, last } = flood([keepsAll, keepsAll], { arrivals: 100_005, meets: () => [A] })
    const message = 'rule CRE-2026-0042 keeps 100,000 entries for one condition: the oldest are dropped'
    expect([warnings, matcher.size]).toEqual([[message, message], 200_000])
    matcher.arrive({ timestamp: 200_000n, text: '', line: 0 }, 200_000n, [B], 1)
    expect(last()?.hits[0]?.entry.line).toBe(6)
  })

  test('does not warn at exactly 100,000', () => {
    expect(flood([keepsAll], { arrivals: 100_000, meets: () => [A] }).warnings).toEqual([])
  })

  test('drops the oldest beyond 64 Mi characters, but never the newest', () => {
    const { warnings, matcher } = flood([keepsAll], { arrivals: 80, meets: () => [A], text: 'x'.repeat(1024 * 1024) })
    expect(matcher.size).toBe(64)
    expect(warnings).toEqual([
      'rule CRE-2026-0042 keeps 67,108,864 characters for one condition: the oldest are dropped',
    ])
    const one = flood([keepsAll], {
      arrivals: 3,
      meets: () => [A],
      text: 'x'.repeat(9),
      limits: { entries: 9, characters: 5 },
    })
    expect(one.matcher.size).toBe(1)
  })

  test('needs no `warn` function', () => {
    const limits = { entries: 2, characters: 100 }
    const matcher = createMatcher([keepsAll], { emit() {}, limits })
    for (let line = 1; line < 9; line++) matcher.arrive({ timestamp: 1n, text: '', line }, 1n, [A], 1)
    expect(matcher.size).toBe(2)
  })

  test('drops the oldest negate timestamps too', () => {
    const rule = ruleWith({ terms: [wants(A)], negate: [unless(N, { slide: -1_000_000n })] })
    const { warnings, matcher } = flood([rule], {
      arrivals: 30,
      meets: () => [N],
      limits: { entries: 9, characters: 99 },
    })
    expect([matcher.size, warnings.length]).toEqual([9, 1])
  })

  test('repairs a sequence that loses its first entry', () => {
    const rule = ruleWith({ kind: 'sequence', window: 1_000n, terms: [wants(A), wants(B), wants(C)] })
    const limits = { entries: 2, characters: 99 }
    const order = [A, B, A, A, C]
    const { last, matcher } = flood([rule], { arrivals: order.length, meets: (index) => [order[index]!], limits })
    expect([last(), matcher.size]).toEqual([undefined, 2])
  })
})
