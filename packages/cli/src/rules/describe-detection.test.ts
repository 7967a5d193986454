import { compileRules } from '@omen/engine'
import { describe, expect, it } from 'vitest'
import { type DescribedCondition, describeDetection } from './describe-detection.js'

async function descriptionOf(body: string) {
  const text = `rules:\n  - cre: {id: SHOP-0001}\n    rule: ${body}\n`
  const { rules, conditions } = await compileRules([{ name: 'shop.yaml', text }])
  return describeDetection(rules[0]!, conditions)
}

const line = ({ before, pattern, after }: DescribedCondition) => [before, pattern, after].filter(Boolean).join(' ')
const SOURCE = 'event: {source: "*"}'

describe('the description of a detection', () => {
  it.each([
    ['match: [disk full]', 'An entry that contains "disk full"'],
    ["match: [{regex: 'time ?out'}]", 'An entry that matches /time ?out/'],
    ["match: [{jq: '.code > 4'}]", 'An entry that is JSON with .code > 4'],
    ['window: 5m, match: [{value: boom, count: 3}]', '3 entries within 5m that contain "boom"'],
  ])('has one condition: %s', async (body, expected) => {
    const { intro, conditions } = await descriptionOf(`{set: {${SOURCE}, ${body}}}`)
    expect(intro).toBe('')
    expect(conditions.map(line)).toEqual([expected])
  })

  it('has several conditions, in any order or one after the other', async () => {
    const terms = "[{value: slow, count: 3}, {regex: 'lost|gone'}]"
    const set = await descriptionOf(`{set: {${SOURCE}, window: 10s, match: ${terms}}}`)
    expect([set.intro, set.ordered]).toEqual(['Within 10s, in any order:', false])
    expect(set.conditions.map(line)).toEqual(['3 entries that contain "slow"', 'an entry that matches /lost|gone/'])
    const sequence = await descriptionOf(`{sequence: {${SOURCE}, window: 10s, order: ${terms}}}`)
    expect([sequence.intro, sequence.ordered]).toEqual(['Within 10s, one after the other:', true])
  })

  it.each([
    ['', 'at the same time'],
    ['window: 1m', 'in the 1m after it'],
    ['window: 1m, slide: 1ms', 'from 1ms to 1m1ms after it'],
    ['window: 1m, slide: -30s', 'from 30s before it until 30s after it'],
    ['window: 1m, slide: -30s, absolute: true', 'in the 1m starting at 30s before it'],
  ])('has the range of a negated condition after one entry: %s', async (options, expected) => {
    const { unless } = await descriptionOf(`{set: {${SOURCE}, match: [down], negate: [{value: up, ${options}}]}}`)
    expect(unless.map(line)).toEqual([`unless an entry contains "up" ${expected}`])
  })

  it.each([
    ['', 'between the first and the last'],
    ['window: 1m', 'from the first until 1m after the last'],
    ['slide: -5s', 'from 5s before the first until 5s before the last'],
    ['slide: -5s, window: 5s', 'from 5s before the first until the last'],
    ['anchor: 1', 'starting at the last, for as long as the entries span'],
    ['anchor: 1, window: 5s', 'starting at the last, for 5s longer than the entries span'],
    ['anchor: 1, window: 5s, absolute: true', 'in the 5s starting at the last'],
  ])('has the range of a negated condition after two entries: %s', async (options, expected) => {
    const body = `window: 10s, order: [down, out], negate: [{value: up, ${options}}]`
    const { unless } = await descriptionOf(`{sequence: {${SOURCE}, ${body}}}`)
    expect(unless.map(line)).toEqual([`unless an entry contains "up" ${expected}`])
  })
})
