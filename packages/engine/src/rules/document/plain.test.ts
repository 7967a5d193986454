import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasShared, sharedFolder } from '../../../test/contract.js'
import { parsePlain } from './plain.js'
import type { DocumentNode, ParsedFile } from './tree.js'
import { parseYaml } from './yaml.js'

/** The tree without the positions that may differ between the two parsers: those of empty nodes, and the ends of blocks. */
function comparable(node: DocumentNode): unknown {
  if (node.kind === 'map') {
    return {
      start: node.start,
      entries: [...node.entries].map(([key, { start, value }]) => [key, start, comparable(value)]),
    }
  }
  if (node.kind === 'list') return { start: node.start, items: node.items.map(comparable) }
  if (node.text === '' && !node.isText) return 'nothing'
  const { start, end, style, isText, text } = node
  return style === 'literal' || style === 'folded'
    ? { start, style, isText, text }
    : { start, end, style, isText, text }
}

function trees({ documents }: ParsedFile): unknown {
  return documents.map(comparable)
}

/** The general parser is the oracle: a document that the plain parser accepts must have the same tree in it. */
async function agrees(text: string): Promise<boolean> {
  const plain = parsePlain(text)
  if (plain === undefined) return false
  const general = await parseYaml(text)
  expect({ text, trees: trees(plain) }).toEqual({ text, trees: trees(general) })
  expect(general.problems).toEqual([])
  return true
}

const documents: Readonly<Record<string, string>> = {
  'a map of scalars': 'a: 1\nb: two words\nc: true\n',
  'a list under a key, indented or not': 'a:\n- x\n- y\nb:\n  - z\n',
  'maps in a list': '- a: 1\n  b: 2\n-   c: 3\n    d: 4\n',
  'nothing after a key, at the end and before another key': 'a:\nb:\n',
  'nothing after a dash': 'a:\n  -\n  - x\n  -\n',
  'quoted scalars': `a: 'it''s'\nb: "x \\"y\\" \\\\ \\n \\u00e9"\nc: '' # none\n`,
  'comments of every sort': '# top\na: x # after\n  # deep\nb: # on the key\n  - y#z\n',
  'a literal block, clipped and stripped': 'a: |\n  one\n\n    two\n  three\n\nb: |-\n  four\n# end\nc: 5\n',
  'a literal block in a list': '- |\n  x\n  y\n- v: |\n    z\n  w: 1\n',
  'a folded block': 'a: >\n\n  one\n  two\n\n\n  three\nb: >-\n  four\n',
  'a plain scalar over several lines': 'a: one\n  two\n\n    three  \nb: x\n',
  'flow collections on one line': 'a: {b: x, c: [1, two words, {d: -5s}], e: [], f: {}} # note\n',
  'quoted scalars in flow collections': `a: ['it''s', "x, ]", http://x:80/y]\n`,
  'flow collections in a list': '- {a: 1}\n- [b,c]\n',
  'several documents': '---\na: 1\n---\n---\nb: 2\n',
  'negative numbers and texts with a dash': 'a: -10s\nb: -x\n',
  'a colon inside a word': 'a: http://x:80/y\nb: 12:30\n',
  'a last line without a line feed': 'a:\n  b: c',
}

describe('the plain parser accepts, with the tree of the general one', () => {
  for (const [name, text] of Object.entries(documents)) {
    test(name, async () => {
      expect(await agrees(text)).toBe(true)
    })
  }
})

const strange: Readonly<Record<string, string>> = {
  'flow collections over several lines': 'a: [1,\n  2]\n',
  'flow collections with quoted keys': 'a: {"b": 1}\n',
  'flow collections with a trailing comma': 'a: [1, ]\n',
  'flow collections with nothing in a place': 'a: {b: , c: 1}\n',
  'pairs in a flow list': 'a: [b: 1]\n',
  'flow collections that are not closed': 'a: [1\n',
  'a folded block with lines that stay': 'a: >\n  x\n    y\n',
  'a block with an indentation indicator': 'a: |2\n   x\n',
  'a block that keeps its line feeds': 'a: |+\n  x\n\n',
  'a block without a last line feed': 'a: |\n  x',
  'an empty block': 'a: |\nb: 1\n',
  'anchors and aliases': 'a: &x 1\nb: *x\n',
  tags: 'a: !!str 1\n',
  'merge keys': 'a:\n  <<: {b: 1}\n',
  'a key in the lines of a scalar': 'a: one\n  two: three\n',
  'a comment in the lines of a scalar': 'a: one\n  # no\n  two\n',
  'a quoted scalar over several lines': 'a: "one\n  two"\n',
  'an escape of the rarer sort': 'a: "\\x41"\n',
  'tabs between words': 'a: x\ty\n',
  'line ends of Windows': 'a: 1\r\n',
  'a quoted key': '"a": 1\n',
  'a map in a line': 'a: b: c\n',
  'a repeated key': 'a: 1\na: 2\n',
  'a key in a wrong column': 'a:\n    b: 1\n  c: 2\n',
  'a line that is not a key': 'a: 1\nb\n',
  'a list in a list': '- - x\n',
  'the end of a document': 'a: 1\n...\n',
  'a directive': '%YAML 1.2\n---\na: 1\n',
  'content on the line of a document marker': '--- a\n',
  'very deep nesting': Array.from({ length: 40 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
}

describe('the plain parser leaves to the general one', () => {
  for (const [name, text] of Object.entries(strange)) {
    test(name, () => {
      expect(parsePlain(text)).toBeUndefined()
    })
  }
})

const KEYS = ['rules', 'cre', 'a', 'b-c', 'x_1']
const scalars = fc.oneof(
  fc.constantFrom(
    'x',
    'two words',
    '5s',
    '-5s',
    '502',
    'true',
    '~',
    'null',
    '1.5',
    "'q'",
    '"d"',
    "'it''s'",
    '"a\\nb"',
    '""',
    '',
  ),
  fc.constantFrom(
    '[a, b]',
    '{a: b}',
    '[]',
    '{a: [1, {b-c: 2}]}',
    '[a,b]',
    '{a: 1,b: 2}',
    '[ x ]',
    '["q", \'s\']',
    '[-5s, http://x]',
    '{a: }',
    '[a: b]',
    '[,]',
    '{a}',
    '[x',
  ),
  fc.stringMatching(/^[ -~]{0,12}$/),
  fc.stringMatching(/^\[[ -~]{0,8}\]$/),
  fc.stringMatching(/^\{a: [ -~]{0,8}\}$/),
  fc.stringMatching(/^[[\]{},:a "'#-]{0,10}$/),
)

/** Lines that look like YAML: mostly right, sometimes not. */
const yamlish = fc
  .array(
    fc.tuple(
      fc.nat({ max: 6 }),
      fc.constantFrom('', '', '- ', '-', '-  ', '# ', '---'),
      fc.constantFrom(
        '',
        ...KEYS.map((key) => `${key}:`),
        ...KEYS.map((key) => `${key}: `),
        'a: |',
        'b: |-',
        '|',
        'c: >',
        '>-',
      ),
      scalars,
      fc.constantFrom('', '', '', ' # note', ' '),
    ),
    { maxLength: 14 },
  )
  .map((lines) =>
    lines.map(([indent, mark, key, value, tail]) => `${' '.repeat(indent)}${mark}${key}${value}${tail}\n`).join(''),
  )

test('any input that looks like YAML has the tree of the general parser, or none', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(yamlish, async (text) => {
      if (await agrees(text)) accepted++
    }),
    { numRuns: 3000 },
  )
  expect(accepted).toBeGreaterThan(100)
})

describe.runIf(hasShared)('rules in use', () => {
  const folder = join(sharedFolder, 'corpus/cre')
  const names = hasShared ? readdirSync(folder).filter((name) => name !== 'LICENSE') : []
  const texts = names.map((name) => readFileSync(join(folder, name, 'rule.yaml'), 'utf8'))

  test('are nearly all in the plain form', async () => {
    const accepted = await Promise.all(texts.map(agrees))
    expect(accepted.filter(Boolean).length).toBeGreaterThan(texts.length * 0.95)
  })

  test('of the vectors are mostly in the plain form', async () => {
    const lines = ['matching', 'matching-edge', 'refusals'].flatMap((name) =>
      readFileSync(join(sharedFolder, `conformance/${name}.jsonl`), 'utf8')
        .trim()
        .split('\n'),
    )
    const accepted = await Promise.all(lines.map((line) => agrees(JSON.parse(line).rule)))
    expect(accepted.filter(Boolean).length).toBeGreaterThan(lines.length * 0.95)
  })

  test('with a few changed characters have the tree of the general parser, or none', async () => {
    const change = fc.tuple(
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom(
        '',
        ' ',
        '\n',
        '  ',
        ':',
        '- ',
        '#',
        ' #',
        '"',
        "'",
        '|',
        '>',
        '\n   x',
        '\t',
        '---\n',
        'a: b',
        ': ',
      ),
    )
    const edits = fc.tuple(fc.constantFrom(...texts), fc.array(change, { minLength: 1, maxLength: 3 }))
    await fc.assert(
      fc.asyncProperty(edits, async ([text, changes]) => {
        // Short pieces, so that a change is likely to affect the syntax.
        let edited = text.slice(-1500).replace(/^.*\n/, '')
        for (const [place, removed, added] of changes) {
          const at = place % edited.length
          edited = edited.slice(0, at) + added + edited.slice(at + removed)
        }
        await agrees(edited)
      }),
      { numRuns: 600 },
    )
  })
})
