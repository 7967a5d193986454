import { compileRules, RulesError } from '@omen/engine'
import { describe, expect, it } from 'vitest'
import { useRules } from '../../../test/rules-context.js'
import { Failure } from '../../failure.js'
import { describeRulesProblem, ruleDocuments, rulesFailure } from './installed-rules.js'

const folder = useRules()

const bundled = () => ({ name: 'bundled rules', bytes: Buffer.from(rule('CRE-2026-10001')) })
const settings = { rulesPaths: [], disableCommunityRules: false }

function rule(id: string, more = ''): string {
  return `rules:
  - cre: { id: ${id} }
    ${more}
    rule: { set: { event: { source: cre.log.app }, match: [disk full ${id}] } }
`
}

describe('the rules of a run', () => {
  it('are loaded in the order community, rules.paths, -r', () => {
    const configured = folder.write('configured.yaml', rule('SHOP-0001'))
    const given = folder.write('given.yaml', rule('SHOP-0002'))
    const request = { disabled: false, settings: { ...settings, rulesPaths: [configured] }, rules: [given], bundled }
    expect(ruleDocuments(request).map(({ name }) => name)).toEqual(['bundled rules', configured, given])
  })

  it('have no community rules with -d or if the configuration disables them', () => {
    const given = folder.write('given.yaml', rule('SHOP-0002'))
    const names = (disabled: boolean, disableCommunityRules: boolean) =>
      ruleDocuments({ disabled, settings: { ...settings, disableCommunityRules }, rules: [given], bundled }).length
    expect([names(true, false), names(false, true), names(false, false)]).toEqual([1, 1, 2])
  })

  it('must not be empty', () => {
    const none = () => ruleDocuments({ disabled: true, settings, rules: [], bundled })
    expect(none).toThrow(Failure)
    expect(none).toThrow(/^no rules to run$/)
    expect(hintOf(none)).toMatch(/-r.*remove -d/)
    const disabled = { ...settings, disableCommunityRules: true }
    const hint = hintOf(() => ruleDocuments({ disabled: false, settings: disabled, rules: [], bundled }))
    expect(hint).toMatch(/disableCommunityRules/)
  })
})

function hintOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    return (error as Failure).hint
  }
  return undefined
}

async function failureOf(...texts: string[]) {
  try {
    await compileRules(texts.map((text, index) => ({ name: `${index}.yaml`, text })))
  } catch (error) {
    if (error instanceof RulesError) return rulesFailure(error)
  }
  throw new Error('the documents are fine')
}

describe('invalid documents', () => {
  it('are reported with the file, line, column and id of each problem', async () => {
    const { log, lines } = await failureOf('rules:\n  - cre: {id: SHOP-0001}\n    rule: {set: {match: [a]}}\n')
    expect(lines).toEqual([
      'Rules error: 0.yaml:3:12: SHOP-0001: event.source is missing: it says which data the rule is about, such as cre.log.kafka',
    ])
    expect(log).toEqual([])
  })

  it('with a duplicate id are reported with the fixed message about the rule loaded later', async () => {
    const hash = 'metadata: { hash: Qm3aTfbHXQxKd1 }'
    const { log, lines } = await failureOf(rule('SHOP-0001', hash), rule('SHOP-0002', hash))
    expect(lines).toEqual(['Rules error: duplicate rule hash id=Qm3aTfbHXQxKd1 cre=SHOP-0002'])
    expect(log).toEqual([
      {
        message: 'duplicate rule hash id=Qm3aTfbHXQxKd1 cre=SHOP-0002',
        fields: { file: '1.yaml', line: expect.any(Number), column: expect.any(Number) },
      },
    ])
  })

  it('with thousands of problems are reported in a hundred lines', async () => {
    const broken = `rules:\n${'  - cre: {}\n'.repeat(3000)}`
    const { lines } = await failureOf(broken)
    expect(lines).toHaveLength(101)
    expect(lines.at(-1)).toMatch(/^Rules error: and \d,\d{3} more problems$/)
  })
})

it('a warning is described in one line', async () => {
  const { warnings } = await compileRules([{ name: 'a.yaml', text: `owner: me\n${rule('SHOP-0001')}` }])
  expect(warnings.map(describeRulesProblem)).toEqual(['a.yaml:1:1: unknown key "owner": it is ignored'])
})
