import { describe, expect, test } from 'vitest'
import type { DocumentNode } from './tree.js'
import { scalarValue } from './tree.js'
import { parseYaml } from './yaml.js'

/** A node as plain data. */
function plainData(node: DocumentNode): unknown {
  if (node.kind === 'scalar') return scalarValue(node)
  if (node.kind === 'list') return node.items.map(plainData)
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, plainData(value)]))
}

async function parse(text: string): Promise<unknown[]> {
  const { documents, problems } = await parseYaml(text)
  expect(problems).toEqual([])
  return documents.map(plainData)
}

describe('YAML', () => {
  test('has the scalars of the 1.2 core schema', async () => {
    const text =
      '[~, null, true, FALSE, yes, no, 012, 0o14, 0xff, +1, -2.5e3, .5, -.inf, .nan, 1_000, 2026-01-01, "5", !!str 5, ! 6]'
    expect(await parse(text)).toEqual([
      [
        null,
        null,
        true,
        false,
        'yes',
        'no',
        12,
        12,
        255,
        1,
        -2500,
        0.5,
        -Infinity,
        NaN,
        '1_000',
        '2026-01-01',
        '5',
        '5',
        '6',
      ],
    ])
  })

  test('has block, folded and quoted scalars', async () => {
    const text = "a: |\n  x\n  y\nb: >-\n  x\n  y\n\n  z\nc: \"tab\\tnew\\nline\"\nd: 'it''s'\ne: one\n  two\n"
    expect(await parse(text)).toEqual([{ a: 'x\ny\n', b: 'x y\nz', c: 'tab\tnew\nline', d: "it's", e: 'one two' }])
  })

  test('has streams of documents; empty ones are left out', async () => {
    expect(await parse('a: 1\n---\n---\n# none\n---\nb: 2\n...\n')).toEqual([{ a: 1 }, { b: 2 }])
  })

  test('has anchors and aliases; an anchor may be set again', async () => {
    expect(await parse('a: &x [1]\nb: *x\nc: &x 2\nd: *x\n')).toEqual([{ a: [1], b: [1], c: 2, d: 2 }])
  })

  test('has merge keys: keys of the map itself win, then the earlier source', async () => {
    const text = 'a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  z: 3\n  <<: [*a, *b]\nd: {"<<": 5}\n'
    expect(await parse(text)).toMatchObject([{ c: { z: 3, x: 1, y: 1 }, d: { '<<': 5 } }])
  })

  test('shares the node of an alias instead of copying it', async () => {
    const { documents } = await parseYaml('- &x [1]\n- *x\n')
    const [list] = documents as [DocumentNode & { kind: 'list' }]
    expect(list.items[1]).toBe(list.items[0])
  })

  test('keeps the positions of keys and values', async () => {
    const { documents } = await parseYaml("a: 1\n'b c':\n  - {d: 'x'}\n")
    const [map] = documents as [DocumentNode & { kind: 'map' }]
    expect(map.entries.get('b c')!.start).toBe(5)
    expect(plainData(map)).toEqual({ a: 1, 'b c': [{ d: 'x' }] })
  })

  test('lists every mistake with its position', async () => {
    const { problems } = await parseYaml('a: [1\nb: "x\n---\nc: @x\n')
    expect(problems.length).toBeGreaterThanOrEqual(2)
    for (const { code, at } of problems) expect([code, at >= 0 && at <= 22]).toEqual(['yaml', true])
  })
})

describe('hostile YAML is rejected quickly', () => {
  const cases: Readonly<Record<string, string>> = {
    'brackets without end': '['.repeat(2_000_000),
    'nested maps in one line': '{a: '.repeat(100_000),
    'nested lists in one line': '- '.repeat(100_000),
    'nested complex keys': '? '.repeat(100_000),
    'a billion laughs': `a: &a [x]\n${Array.from({ length: 40 }, (_, i) => `${'b'.repeat(i + 1)}: &${'b'.repeat(i + 1)} [${Array(9).fill(i === 0 ? '*a' : `*${'b'.repeat(i)}`)}]\n`).join('')}`,
    'merged laughs': `a: &a {k: 1}\n${Array.from({ length: 40 }, (_, i) => `b${i}: &b${i} {<<: [${Array(9).fill(i === 0 ? '*a' : `*b${i - 1}`)}]}\n`).join('')}`,
  }
  for (const [name, text] of Object.entries(cases)) {
    test(name, async () => {
      const { problems } = await parseYaml(text)
      expect(['too-deep', 'too-complex']).toContain(problems[0]?.code)
    })
  }

  test('a map with very many keys is accepted', async () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `k${i}: v`).join('\n')
    const { documents, problems } = await parseYaml(text)
    expect([documents.length, problems.length]).toEqual([1, 0])
  })
})
