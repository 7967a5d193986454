import { describe, expect, test } from 'vitest'
import { compileCondition } from './compile.js'
import { TermError } from './condition.js'

describe('a condition', () => {
  test('that is a literal has the literal as its exact plan', async () => {
    expect(await compileCondition('literal', 'a.b')).toEqual({
      kind: 'literal',
      text: 'a.b',
      plan: [{ needles: [{ text: 'a.b', fold: false }], gaps: [0], exact: true }],
    })
  })

  test('that is a regex has a plan', async () => {
    const { kind, text, plan } = await compileCondition('regex', 'timeout|refused')
    expect([kind, text]).toEqual(['regex', 'timeout|refused'])
    expect(plan?.map(({ needles }) => needles.map((needle) => needle.text))).toEqual([['timeout'], ['refused']])
  })

  test('that is a jq filter is compiled asynchronously', async () => {
    const pending = compileCondition('jq', '.level == "error"')
    expect(pending).toBeInstanceOf(Promise)
    expect(await pending).toMatchObject({ kind: 'jq', text: '.level == "error"' })
  })

  test('that is not valid is a TermError with the offset', async () => {
    expect(() => compileCondition('regex', 'ab(')).toThrow(TermError)
    expect(() => compileCondition('literal', 'ab\ud800')).toThrow(
      expect.objectContaining({ code: 'not-unicode', offset: 2 }),
    )
    await expect(compileCondition('jq', '.a | ')).rejects.toBeInstanceOf(TermError)
    await expect(compileCondition('jq', '.a | lenght')).rejects.toThrow('did you mean length/0?')
    await expect(compileCondition('jq', '.a | test("a(?=b)")')).rejects.toThrow('look-ahead (?=…) is not supported')
  })

  test('that is empty or very long is refused for every kind', () => {
    for (const kind of ['literal', 'regex', 'jq'] as const) {
      expect(() => compileCondition(kind, '')).toThrow(expect.objectContaining({ code: 'empty' }))
      expect(() => compileCondition(kind, 'x'.repeat(65_537))).toThrow(expect.objectContaining({ code: 'too-long' }))
    }
  })
})
