import type { Detection } from '@omen/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTally, type TallyOptions } from './tally.js'

function detection(id: string, severity: number, ...times: number[]): Detection {
  const hits = times.map((time) => ({ timestamp: BigInt(time), entry: `entry\n"${time}" ünd 😀`, line: time }))
  return { cre: { id, severity }, ruleId: `${id}-id`, ruleHash: `${id}-hash`, hits }
}

function linesOf(found: readonly (readonly [source: number, detection: Detection])[], options: TallyOptions) {
  const tally = createTally([{ name: 'a.log' }, { name: 'b.log' }, { name: 'c.log' }], options)
  for (const [source, one] of found) tally.add(source, [one])
  return tally.problems().map(({ hits, ...problem }) => ({ ...problem, hits: [...hits] }))
}

describe('a tally', () => {
  it('lists the worst first, then the earliest', () => {
    const found = [
      [0, detection('B', 2, 5)],
      [0, detection('A', 2, 7)],
      [0, detection('C', 0, 9)],
      [0, detection('D', 2, 5)],
    ] as const
    expect(linesOf(found, { keepsHits: true }).map(({ cre }) => cre.id)).toEqual(['C', 'B', 'D', 'A'])
  })

  it('keeps the hits of one source after those of the source before, whatever their order', () => {
    const found = [
      [1, detection('A', 0, 1)],
      [0, detection('A', 0, 2, 3)],
      [1, detection('A', 0, 4)],
    ] as const
    const [problem] = linesOf(found, { keepsHits: true })
    expect(problem.hits.map(({ source, line }) => [source, line])).toEqual([
      ['a.log', 2],
      ['a.log', 3],
      ['b.log', 1],
      ['b.log', 4],
    ])
    expect([problem.detections, problem.first]).toEqual([3, 2n])
  })

  it('counts the hits that it does not keep', () => {
    const found = [1, 2, 3].map((time) => [0, detection('A', 0, time)] as const)
    expect(linesOf(found, { keepsHits: false })[0]).toMatchObject({ detections: 3, first: 1n, hits: [] })
    expect(linesOf(found, { keepsHits: true, maxHits: 2 })[0].hits).toHaveLength(2)
    const tally = createTally([{ name: 'a.log' }], { keepsHits: true, maxHits: 2 })
    for (const [source, one] of found) tally.add(source, [one])
    expect(tally.leftOut).toBe(1)
  })

  it('keeps no more than a hundred megabytes of text in memory, in few hits or in many', () => {
    const wide = { timestamp: 1n, entry: 'x'.repeat(1_000_000), line: 1 }
    let away = 0
    const spill = {
      write(lines: Iterable<string>) {
        away += [...lines].length
        return { offset: 0, length: 0 }
      },
      read: () => [][Symbol.iterator]() as never,
    }
    const tally = createTally([{ name: 'a.log' }], { keepsHits: true, spill })
    for (let i = 0; i < 300; i++) tally.add(0, [{ ...detection('A', 0), hits: [wide] }])
    expect(away).toBeGreaterThan(200)
  })

  it('gives the same result whether hits are stored in memory, on disk or on a disk that is full', () => {
    const any = fc.array(
      fc.tuple(fc.nat(2), fc.constantFrom('A', 'B'), fc.array(fc.nat(99), { minLength: 1, maxLength: 4 })),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(any, fc.nat(5000), (all, maxInMemory) => {
        const found = all.map(([source, id, times]) => [source, detection(id, 1, ...times)] as const)
        const inMemory = linesOf(found, { keepsHits: true })
        expect(linesOf(found, { keepsHits: true, maxInMemory })).toEqual(inMemory)
        const full = { write: () => undefined, read: () => [][Symbol.iterator]() as never }
        expect(linesOf(found, { keepsHits: true, maxInMemory, spill: full })).toEqual(inMemory)
      }),
      { numRuns: 100 },
    )
  })
})
