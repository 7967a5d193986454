import { describe, expect, test } from 'vitest'
import { readRules } from './read-rules.js'

const ONE = `rules:
  - cre:
      id: SHOP-0001
      severity: 2
      title: Checkout lost its database
      category: shop-problem
      tags: [checkout, 3.10]
      cause: |
        A pool that is too small.
      applications:
        - name: Checkout
          version: 3.10
      references: [https://shop.example/runbook]
    rule:
      set:
        event: {source: cre.log.checkout}
        match: [{value: refused}]
`

const TWO = `# Ours.
terms:
  gone:
    value: gone
rules:
  # The first.
  - cre: {id: A-1}
    rule:
      set:
        match: [gone]

  -   cre:
        id: A-2
        mitigation: |
          - do this

          - do that
      rule: {set: {match: [gone]}}
`

const FOOTER = 'section: version\ncontent:\n  - version: 1.10.0\n'

describe('the rules of a package', () => {
  test('have every value as it was written', () => {
    const { version, rules } = readRules(`${ONE}---\n${FOOTER}`)
    expect(version).toBe('1.10.0')
    expect(rules).toEqual([
      {
        id: 'SHOP-0001',
        title: 'Checkout lost its database',
        severity: 2,
        category: 'shop-problem',
        tags: ['checkout', '3.10'],
        applications: ['Checkout'],
        description: '',
        cause: 'A pool that is too small.',
        impact: '',
        mitigation: '',
        references: ['https://shop.example/runbook'],
        yaml: ONE,
      },
    ])
  })

  test('have one document each, with the rule as it was written', () => {
    const { rules } = readRules(`${TWO}---\n${ONE}---\n${FOOTER}`)
    expect(rules.map(({ id }) => id)).toEqual(['A-1', 'A-2', 'SHOP-0001'])
    for (const rule of rules) {
      const again = readRules(rule.yaml).rules
      expect(again).toEqual([{ ...rule, yaml: expect.any(String) }])
    }
    expect(rules[0]!.yaml).toContain('terms:\n  gone:\n    value: gone\nrules:\n  - cre: {id: A-1}\n    rule:\n')
    expect(rules[1]!.yaml).toContain('  - cre:\n      id: A-2\n')
  })

  test('without a severity are critical, and rules without an ID are left out', () => {
    const { rules } = readRules(
      'rules:\n  - cre: {id: X-1, severity: urgent, tags: {a: b}}\n  - cre: {}\n  - 7\n  - {}\n',
    )
    expect(rules.map(({ id, severity, tags }) => [id, severity, tags])).toEqual([['X-1', 0, []]])
  })

  test.each(['', '---\n---\n', '- a\n- b\n', 'rules: 7\n', 'rules:\n  - *nobody\n', '{{{'])(
    'are an empty list for %j',
    (text) => {
      expect(readRules(text)).toEqual({ version: '', rules: [] })
    },
  )
})
