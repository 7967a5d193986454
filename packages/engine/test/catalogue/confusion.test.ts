import { expect, it } from 'vitest'
import { compileCatalogue, confusion } from '../../../../scripts/catalogue/confusion.mjs'
import { describeConfusion, drawMatrix } from '../../../../scripts/catalogue/describe-confusion.mjs'
import type { CatalogueFolder, Overlap } from '../../../../scripts/catalogue/read-catalogue.mjs'
import { withIndex } from '../../../../scripts/catalogue/rule-index.mjs'
import { compileRules, createDetector, RulesError } from '../../src/index.js'

const engine = { compileRules, createDetector, RulesError }

function rule(id: string, text: string): string {
  return `rules:
  - cre: {id: ${id}, severity: 1, title: "${text} | it", category: paper, applications: [{name: printer}]}
    rule: {set: {event: {source: cre.log.printer}, match: ["${text}"]}}
`
}

/** A folder whose logs have the given lines. */
function folder(id: string, text: string | undefined, hit: string, miss: string): CatalogueFolder {
  const name = id.toLowerCase()
  const log = (expected: 'hit' | 'miss', line: string) => {
    const bytes = new TextEncoder().encode(`2026-03-01T12:00:00Z ready\n2026-03-01T12:00:01Z ${line}\n`)
    return { name: `${name}/${expected}.log`, expected, bytes }
  }
  return { name, id, files: [], text, logs: [log('hit', hit), log('miss', miss)] }
}

async function confused(folders: readonly CatalogueFolder[], overlaps: readonly Overlap[] = []) {
  const { rules, folders: usable, broken } = await compileCatalogue(engine, folders)
  const quiet = [{ name: 'bench: printer', chunks: [new TextEncoder().encode('2026-03-01T12:00:00Z paper jam\n')] }]
  return { broken, ...confusion(engine, { rules, folders: usable, overlaps, quiet }) }
}

const LOW = folder('CRE-2026-1', rule('CRE-2026-1', 'paper low'), 'paper low', 'no paper')

it('reports nothing for rules that fire only on their own logs', async () => {
  const other = folder('CRE-2026-2', rule('CRE-2026-2', 'toner low'), 'toner low', 'no toner')
  const found = await confused([LOW, other])
  expect(found).toEqual({
    broken: [],
    silent: [],
    own: ['CRE-2026-1', 'CRE-2026-2'],
    undeclared: [],
    overlapping: [],
    stale: [],
    warnings: [],
  })
})

it('finds a rule that is silent, that fires on its own miss.log, on other logs and on ordinary ones', async () => {
  const wrong = folder('CRE-2026-2', rule('CRE-2026-2', 'paper'), 'nothing', 'paper tray open')
  const found = await confused([LOW, wrong])
  const { silent, undeclared } = found
  expect(silent).toEqual(['CRE-2026-2'])
  expect(undeclared.map(({ rule, log, line }) => [rule, log, line])).toEqual([
    ['CRE-2026-2', 'cre-2026-1/hit.log', 2],
    ['CRE-2026-2', 'cre-2026-1/miss.log', 2],
    ['CRE-2026-2', 'cre-2026-2/miss.log', 2],
    ['CRE-2026-2', 'bench: printer', 1],
  ])
  expect(drawMatrix(found)).toBe(
    'CRE-2026-1  = own hit.log\n' +
      'CRE-2026-2  - own hit.log  ! cre-2026-1/hit.log  ! cre-2026-1/miss.log  ! cre-2026-2/miss.log  ! bench: printer',
  )
  expect(describeConfusion(found).split('\n').slice(0, 3)).toEqual([
    'SILENT CRE-2026-2 does not fire on its own hit.log',
    'WRONG CRE-2026-2 fires on cre-2026-1/hit.log:2',
    '   paper low',
  ])
})

it('accepts declared overlaps, except of a rule with its own miss.log and with ordinary logs, and finds those that do not occur', async () => {
  const wide = folder('CRE-2026-2', rule('CRE-2026-2', 'paper'), 'paper', 'paper tray open')
  const overlap = (log: string, rule = 'CRE-2026-2') => ({ rule, log, why: 'it is about paper' })
  const { undeclared, overlapping, stale } = await confused(
    [LOW, wide],
    [
      overlap('cre-2026-1/hit.log'),
      overlap('cre-2026-1/miss.log'),
      overlap('cre-2026-2/miss.log'),
      overlap('bench: printer'),
      overlap('cre-2026-2/hit.log', 'CRE-2026-1'),
      overlap('cre-2026-9/hit.log'),
    ],
  )
  expect(overlapping.map(({ log }) => log)).toEqual(['cre-2026-1/hit.log', 'cre-2026-1/miss.log'])
  expect(undeclared.map(({ log }) => log)).toEqual(['cre-2026-2/miss.log', 'bench: printer'])
  expect(stale.map(({ log, isKnown }) => [log, isKnown])).toEqual([
    ['cre-2026-2/miss.log', true],
    ['bench: printer', false],
    ['cre-2026-2/hit.log', true],
    ['cre-2026-9/hit.log', false],
  ])
})

it('reports rules that do not compile, and continues with the others', async () => {
  const found = await confused([
    LOW,
    folder('CRE-2026-2', 'rules: [', 'x', 'y'),
    folder('CRE-2026-3', undefined, 'x', 'y'),
    folder('CRE-2026-4', rule('CRE-2026-1', 'toner'), 'x', 'y'),
  ])
  expect(found.broken.map((one) => one.folder).sort()).toEqual(['cre-2026-2', 'cre-2026-3', 'cre-2026-4'])
  expect(found.own).toEqual(['CRE-2026-1'])
})

it('reports logs whose times cannot be read', async () => {
  const bytes = new TextEncoder().encode('paper low\n')
  const untimed = { ...LOW, logs: [{ name: 'cre-2026-1/hit.log', expected: 'hit' as const, bytes }] }
  expect((await confused([untimed])).warnings).toEqual([
    { log: 'cre-2026-1/hit.log', message: expect.stringContaining('no timestamp') },
  ])
})

it('writes the index between its markers, and does not change it when it is written again', () => {
  const page = `# Rules\n\n<!-- The table is written by npm run rules:index. -->\nold\n<!-- The end of the table. -->\n`
  const catalogue = { folders: [LOW], categories: { ink: 'Ink', paper: 'Paper and trays' } }
  const written = withIndex(page, catalogue)
  expect(written).toBe(`# Rules

<!-- The table is written by npm run rules:index. -->

1 rules about 1 applications: 1 high.

### Paper and trays

| rule                               | severity | finds           | looks at          |
| ---------------------------------- | -------- | --------------- | ----------------- |
| [CRE-2026-1](cre-2026-1/rule.yaml) | high     | paper low \\| it | \`cre.log.printer\` |

<!-- The end of the table. -->
`)
  expect(withIndex(written, catalogue)).toBe(written)
})
