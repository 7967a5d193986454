import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasShared, sharedFolder } from '../../test/contract.js'
import { compileRules } from './compile.js'
import { RulesError } from './error.js'

interface Vector {
  readonly id: string
  readonly rule: string
}

const file = join(sharedFolder, 'conformance/refusals.jsonl')
const vectors: readonly Vector[] = hasShared
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : []

/** Of each vector: code, line, column, and a pattern that the message matches. */
const expected: Readonly<Record<string, readonly [code: string, line: number, column: number, message: RegExp]>> = {
  'not-yaml': ['yaml', 2, 1, /^not valid YAML: /],
  'no-rules': ['no-rules', 1, 1, /has no rules/],
  'empty-file': ['empty-document', 1, 1, /is empty/],
  'top-level-list': ['wrong-type', 1, 1, /not a map/],
  'no-cre-id': ['missing', 2, 5, /^cre\.id is missing/],
  'bad-cre-id': ['bad-cre-id', 2, 15, /^cre\.id "a b" contains a space .*letters, digits and hyphens/],
  'bad-severity': ['bad-severity', 2, 40, /severity is 0 to 4 .*, not 9$/],
  'no-rule': ['missing', 2, 5, /^rule is missing/],
  'no-event': ['missing', 4, 7, /^event\.source is missing/],
  'no-match': ['no-conditions', 4, 7, /^match is missing/],
  'empty-match': ['no-conditions', 4, 41, /^match is empty/],
  'set-window-missing': ['window-missing', 4, 7, /^window is missing: .*such as 5s$/],
  'set-one-with-window': ['window-not-allowed', 4, 41, /^window has no meaning with one condition/],
  'sequence-one': ['too-few-conditions', 4, 58, /^a sequence needs at least two/],
  'sequence-no-window': ['window-missing', 4, 7, /^window is missing/],
  'window-zero': ['window-not-positive', 4, 54, /^window is zero/],
  'window-negative': ['window-not-positive', 4, 54, /^window is negative/],
  'window-bad': ['bad-duration', 4, 49, /^window: "5 parsecs" is not a duration/],
  'window-number': ['bad-duration', 4, 49, /^window has no unit: write 5s/],
  'regex-bad': ['bad-regex', 4, 59, /^regex: .*\)/],
  'regex-backreference': ['bad-regex', 4, 61, /^regex: .*back-reference/],
  'regex-lookahead': ['bad-regex', 4, 59, /^regex: .*look-ahead/],
  'jq-bad': ['bad-jq', 4, 60, /^jq filter: /],
  'two-conditions-in-one': ['condition-conflict', 4, 60, /^value and regex together/],
  'no-condition': ['condition-missing', 4, 49, /no condition: it needs value, regex or jq/],
  'unknown-key': ['unknown-key', 4, 50, /^unknown key "valeu": did you mean "value"\?$/],
  'count-zero': ['bad-count', 4, 67, /^count is .*at least 1, not 0$/],
  'count-negative': ['bad-count', 4, 67, /^count is .*at least 1, not -1$/],
  'negate-count': ['negate-count', 4, 80, /^count above 1 has no meaning in negate/],
  'negate-extract': ['negate-extract', 4, 73, /^extract has no meaning in negate/],
  'anchor-range': ['bad-anchor', 4, 101, /^anchor 2 is too high: it is below 2/],
  'anchor-negative': ['bad-anchor', 4, 101, /^anchor is not negative/],
  'slide-on-positive': ['negate-only', 4, 72, /^slide belongs to .*negate/],
  'empty-literal': ['empty-condition', 4, 49, /^an empty literal matches everything/],
  promql: ['unsupported', 4, 50, /^promql conditions are not supported/],
  'too-many-conditions': ['too-many-conditions', 4, 53, /at most 64$/],
  'bad-rule-id': ['bad-rule-id', 3, 20, /^metadata\.id "short" is not allowed: at least 12/],
  'duplicate-cre-id': ['duplicate-rule', 4, 15, /^duplicate rule hash id=CRE-2026-7001 cre=CRE-2026-7001$/],
  'duplicate-rule-hash': ['duplicate-rule', 6, 42, /^duplicate rule hash id=Qm3aTfbHXQxKd1 cre=CRE-2026-7002$/],
  'duplicate-term': ['duplicate-term', 6, 9, /term "a" is defined twice/],
  'term-cycle': ['term-cycle', 1, 9, /terms "a" and "b" refer to each other/],
}

/** Vectors whose rule has no proper CRE id, or whose problem is in no rule. */
const nameless = [
  'not-yaml',
  'no-rules',
  'empty-file',
  'top-level-list',
  'no-cre-id',
  'bad-cre-id',
  'duplicate-term',
  'term-cycle',
]

describe.runIf(hasShared)('every vector of refusals.jsonl', () => {
  test('is expected here', () => {
    expect(vectors.map(({ id }) => id).sort()).toEqual(Object.keys(expected).sort())
  })

  for (const { id, rule } of vectors) {
    test(`${id} is rejected with its position and a clear message`, async () => {
      const error = await compileRules([{ name: 'rules.yaml', text: rule }]).catch((reason: unknown) => reason)
      if (!(error instanceof RulesError)) throw new Error(`not refused: ${error}`)
      const [code, line, column, message] = expected[id]!
      const [problem, ...others] = error.problems
      expect(others).toEqual([])
      expect(problem).toMatchObject({ file: 'rules.yaml', code, line, column, message: expect.stringMatching(message) })
      expect(error).toMatchObject({ file: 'rules.yaml', code, line, column })
      expect(problem?.creId).toEqual(nameless.includes(id) ? undefined : expect.stringMatching(/^CRE-2026-700[12]$/))
      expect(error.message.startsWith(`rules.yaml:${line}:${column}: `)).toBe(true)
    })
  }
})
