import { expect, it } from 'vitest'
import type { Screen } from '../screen.js'
import { formatTable } from './table.js'

const pipe: Screen = { isTerminal: false, colours: false, columns: 40, write: () => {} }
const terminal: Screen = { ...pipe, isTerminal: true }
const ROWS = [
  ['CRE-2026-0001', 'critical', 'Broker is out of disk space'],
  ['MINE-1', 'low', '日本'],
]

it('columns are aligned and complete in a pipe', () => {
  expect(formatTable(ROWS, pipe, { header: ['ID', 'SEVERITY', 'TITLE'] })).toBe(
    `ID             SEVERITY  TITLE
CRE-2026-0001  critical  Broker is out of disk space
MINE-1         low       日本
`,
  )
})

it('the last column is cut to the width of a terminal', () => {
  expect(formatTable(ROWS, terminal)).toBe(
    `CRE-2026-0001  critical  Broker is out …
MINE-1         low       日本
`,
  )
})

it('the last column is complete on a terminal that is too narrow for it', () => {
  expect(formatTable(ROWS, { ...terminal, columns: 30 })).toContain('Broker is out of disk space\n')
})

it('numbers are aligned to the right', () => {
  expect(
    formatTable(
      [
        ['a', '5', 'x'],
        ['b', '120', 'y'],
      ],
      pipe,
      { right: [1] },
    ),
  ).toBe('a    5  x\nb  120  y\n')
  expect(
    formatTable(
      [
        ['a', '5'],
        ['b', '120'],
      ],
      pipe,
      { right: [1] },
    ),
  ).toBe('a    5\nb  120\n')
})

it('wide characters count as two columns', () => {
  expect(
    formatTable(
      [
        ['日本', 'a'],
        ['x', 'b'],
      ],
      pipe,
    ),
  ).toBe('日本  a\nx     b\n')
})

it('styles do not affect the alignment', () => {
  const rows = [
    [{ text: 'high', style: 'high' as const }, 'a'],
    ['critical', 'b'],
  ]
  expect(formatTable(rows, { ...pipe, colours: true })).toBe('\u001b[91mhigh\u001b[39m      a\ncritical  b\n')
  expect(formatTable(rows, pipe)).toBe('high      a\ncritical  b\n')
})

it('cells cannot control the terminal or break rows', () => {
  expect(formatTable([['a\nb', '\u001b[2J']], pipe)).toBe('a␊b  ␛[2J\n')
})

it('rows may have fewer cells, and a table may be empty', () => {
  expect(formatTable([['a'], ['bb', 'c']], pipe)).toBe('a\nbb  c\n')
  expect(formatTable([], pipe)).toBe('')
})
