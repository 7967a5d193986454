import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offsetWithin } from './position.js'
import type { DocumentNode, ScalarNode } from './tree.js'
import { parseYaml } from './yaml.js'

async function scalarIn(file: string): Promise<ScalarNode> {
  const { documents } = await parseYaml(file)
  const [map] = documents as [DocumentNode & { kind: 'map' }]
  return map.entries.get('a')!.value as ScalarNode
}

/** The offset in the file of a marker that occurs once in the scalar. */
async function findMark(file: string): Promise<number | undefined> {
  const node = await scalarIn(file)
  return offsetWithin(file, node, node.text.indexOf('@'))
}

const files: readonly string[] = [
  'a: xx@yy\n',
  "a: 'it''s @ here'\n",
  'a: "q\\"\\\\\\u0041\\U0001F600\\x41@"\n',
  'a: |\n  one\n\n    two @\n  three\n',
  'a: |2-\n    one\n  @\n',
  'a: |\r\n  one\r\n  t@o\r\n',
]

test('finds the character in plain and literal scalars', async () => {
  for (const file of files) expect([file, await findMark(file)]).toEqual([file, file.indexOf('@')])
})

test('gives no offset in folded scalars', async () => {
  expect(await findMark('a: >\n  one\n  t@o\n')).toBeUndefined()
  expect(await findMark('a: one\n  t@o\n')).toBeUndefined()
  expect(await findMark('a: "one\n  t@o"\n')).toBeUndefined()
})

test('finds the character in any quoted scalar', async () => {
  const texts = fc
    .tuple(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }))
    .map(([before, after]) => `${before.replaceAll('@', '')}@${after.replaceAll('@', '')}`)
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const double = `a: ${JSON.stringify(text)}\n`
      expect(await findMark(double)).toBe(double.indexOf('@'))
      const single = `a: '${text.replaceAll("'", "''")}'\n`
      expect(await findMark(single)).toBe(single.indexOf('@'))
    }),
    { numRuns: 200 },
  )
})
