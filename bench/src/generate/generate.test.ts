import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FAMILIES, type FamilyName } from './families.js'
import { generateLog, type LogPlan } from './generate.js'
import { wordPhrases, wordRules } from './phrases.js'
import { createRandom } from './random.js'

const SIZE = 300_000
const families = Object.keys(FAMILIES) as FamilyName[]

function bytesOf(plan: LogPlan): Buffer {
  const copies: Buffer[] = []
  for (const chunk of generateLog(plan)) copies.push(Buffer.from(chunk))
  return Buffer.concat(copies)
}

const logs = new Map<FamilyName, Buffer>()
function logOf(family: FamilyName): Buffer {
  const log = logs.get(family) ?? bytesOf({ seed: 3, size: SIZE, format: FAMILIES[family] })
  logs.set(family, log)
  return log
}
const linesOf = (family: FamilyName) => logOf(family).toString().trimEnd().split('\n')

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('the random numbers', () => {
  it('are the same on every machine', () => {
    const random = createRandom(1)
    expect([random.bits(), random.bits(), random.below(1000), random.below(1000)]).toMatchInlineSnapshot(`
      [
        -960805605,
        1846344180,
        595,
        947,
      ]
    `)
  })

  it('pick the first of a list most often when skewed', () => {
    const random = createRandom(5)
    const counts = { a: 0, b: 0, c: 0 }
    for (let i = 0; i < 11_000; i++) counts[random.skewed(['a', 'b', 'c'] as const)]++
    // Weights of 1, 1/2 and 1/3 of 11/6.
    expect(counts.a).toBeGreaterThan(5700)
    expect(counts.b).toBeGreaterThan(2700)
    expect(counts.c).toBeGreaterThan(1700)
  })
})

const plan: LogPlan = { seed: 1, size: 1_500_000, format: FAMILIES.rfc3339 }

describe('a generated log', () => {
  const log = bytesOf(plan)

  it('is the same, byte for byte, for the same seed', () => {
    expect(sha256(bytesOf(plan))).toBe(sha256(log))
  })

  it('differs for another seed', () => {
    expect(sha256(bytesOf({ ...plan, seed: 2 }))).not.toBe(sha256(log))
  })

  it('begins with the shorter log of the same seed', () => {
    const short = bytesOf({ ...plan, size: 100_000 })
    expect(log.subarray(0, short.length).equals(short)).toBe(true)
  })

  it('has the requested size, up to the end of the last line', () => {
    expect(log.length).toBeGreaterThanOrEqual(plan.size)
    expect(log.length).toBeLessThan(plan.size + 4096)
    expect(log.at(-1)).toBe(10)
  })

  it('has timestamps that never go backwards', () => {
    const times = linesOf('rfc3339').map((line) => line.slice(0, 30))
    expect(times).toEqual([...times].sort())
  })

  it.each(families)('is valid UTF-8 without unfilled fields in the format %s', (family) => {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(logOf(family))
    expect(text).not.toMatch(/%\{|undefined|\0/)
  })

  it.each(['docker', 'zap', 'pino', 'logrus'] as const)('has one JSON object per line in the format %s', (family) => {
    const kinds = linesOf(family).map((line) => typeof JSON.parse(line))
    expect(new Set(kinds)).toEqual(new Set(['object']))
  })

  it('has every time in the layout of its program', () => {
    const first = Object.fromEntries(families.map((family) => [family, linesOf(family)[0]!]))
    expect(first.kafka).toMatch(/^\[2026-03-01 00:00:00,\d{3}\] [A-Z]+ /)
    expect(first['nginx-access']).toMatch(/ - - \[01\/Mar\/2026:00:00:00 \+0000\] "/)
    expect(first.syslog).toMatch(/^Mar {2}1 00:00:00 \S+ \S+\[\d+\]: /)
    expect(first.klog).toMatch(/^[IWE]0301 00:00:00\.\d{6} +\d+ \w+\.go:\d+\] /)
    expect(first.redis).toMatch(/^1:M 01 Mar 2026 00:00:00\.\d{3} [.*#] /)
    expect(first.epoch).toMatch(/^1772323200\.\d{6} /)
    expect(first.cri).toMatch(/^2026-03-01T00:00:00\.\d{9}Z stdout F /)
  })
})

describe('the word list', () => {
  const phrases = wordPhrases(5000)

  it('has phrases of two to four words, all different', () => {
    expect(new Set(phrases).size).toBe(5000)
    expect(phrases.filter((phrase) => !/^[a-z]+( [a-z]+){1,3}$/.test(phrase))).toEqual([])
  })

  it('begins the same for every length', () => {
    expect(wordPhrases(100)).toEqual(phrases.slice(0, 100))
  })

  it('has a few phrases that occur in the log, and no others', () => {
    const text = bytesOf({ ...plan, size: 3_000_000 }).toString()
    const present = phrases.slice(0, 400).filter((phrase) => text.includes(phrase))
    expect(present.length).toBeGreaterThan(0)
    expect(phrases.slice(0, 5)).toEqual(expect.arrayContaining(present))
  })

  it('gives one rule per phrase', () => {
    expect(wordRules(100).match(/"cre":/g)).toHaveLength(100)
    expect(wordRules(100)).toContain(JSON.stringify({ value: phrases[0] }))
  })
})
