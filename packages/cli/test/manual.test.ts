import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FLAGS } from '../src/command-line/flags.js'
import { FLAG_GROUPS, usageOf } from '../src/command-line/program.js'
import { OMEN, VERBS } from '../src/command-line/verbs.js'
import {
  anchorsOf,
  flagLabel,
  linksIn,
  looksLike,
  openShell,
  readPage,
  root,
  rowsUnder,
  sessionsIn,
  withoutVarying,
} from './manual.js'

const manual = readPage('docs/omen.md')

/** Pages whose console blocks are run. */
const TESTED_PAGES = ['docs/omen.md', 'docs/writing-rules.md', 'README.md', 'examples/README.md', 'rules/README.md']

const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'rules/README.md', 'examples/README.md', 'bench/README.md'],
  'deploy/README.md',
  ...['docs', 'docs/providers'].flatMap((home) =>
    readdirSync(join(root, home)).flatMap((name) => (name.endsWith('.md') ? [`${home}/${name}`] : [])),
  ),
]

let folder = ''
let shell: ReturnType<typeof openShell>
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'omen-manual-')))
  // Like the root of a repository: no folder above it is searched.
  mkdirSync(join(folder, '.git'))
  shell = openShell(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('docs/omen.md', () => {
  const flagRows = rowsUnder(manual, ['flag', 'what it does'])

  test('lists exactly the existing flags, by group', () => {
    const groups = Object.keys(FLAG_GROUPS)
    const inOrder = FLAGS.toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group))
    expect(flagRows.map(([label]) => label)).toEqual(inOrder.map(flagLabel))
  })

  test.each(FLAGS.filter(({ choices }) => choices))('lists every value of --$name', (flag) => {
    const text = flagRows.find(([label]) => label === flagLabel(flag))?.[1]
    for (const choice of flag.choices ?? []) expect(text).toContain(`\`${choice}\``)
  })

  test('lists exactly the existing verbs', () => {
    const verbs = VERBS.filter(({ words }) => words.length > 0)
    const calls = verbs.map(({ words, operands }) => `\`omen ${[...words, usageOf(operands)].join(' ').trimEnd()}\``)
    expect(rowsUnder(manual, ['verb', 'what it does']).map(([call]) => call)).toEqual(calls)
  })

  test('has the same exit codes as the help', () => {
    const { rows } = OMEN.tables.find(({ heading }) => heading === 'Exit codes')!
    expect(rowsUnder(manual, ['code', 'means']).map(([code]) => code)).toEqual(rows.map(([code]) => code))
  })
})

describe('docs/writing-rules.md', () => {
  const blocks = [...readPage('docs/writing-rules.md').matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block]) => block!)
  const examples = join(root, 'examples/writing-rules')
  const rules = readdirSync(examples).map((name) => readPage(`examples/writing-rules/${name}/rule.yaml`))

  test('shows the conditions of the examples unchanged', () => {
    const shown = rules.map((rule) => rule.slice(rule.indexOf('    rule:\n') + 10).replaceAll(/^ {6}/gm, ''))
    expect(blocks.toSorted()).toEqual(shown.toSorted())
  })
})

describe('every command in the manual prints the shown output', () => {
  const sessions = TESTED_PAGES.flatMap((path) => sessionsIn(readPage(path)).map((steps) => ({ path, steps })))

  test.each(sessions)('$path: $steps.0.command', ({ steps }) => {
    const printed = shell.run(steps.map(({ command }) => command))
    for (const [index, { output }] of steps.entries()) {
      const lines = printed[index]!.map(withoutVarying)
      const shown = output.map(withoutVarying)
      if (!looksLike(lines, shown)) expect(lines).toEqual(shown)
    }
  })

  test('the picture in the README shows the output of a terminal', () => {
    const picture = readPage('docs/omen-at-work.svg')
    const shown = [...picture.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text]) => text!.replaceAll(/<[^>]*>/g, ''))
    const [prompt = '', ...lines] = shown
    const command = prompt.replace(/^\$ /, '')
    const [printed = [], logged = []] = shell.run([command, `${command} -q -o "" -l info`])
    // Only a terminal shows the title below each problem, and what was read, which is also in the log.
    const [read, ...others] = lines.filter((line) => line.startsWith('Read '))
    expect(others).toEqual([])
    expect(logged.at(-1)?.split(' > ')[1]).toBe(read)
    const titles = lines.filter((line) => line.startsWith('  '))
    expect(titles).toHaveLength(lines.filter((line) => line.startsWith('CRE-')).length)
    const inPipe = lines.filter((line) => line !== read && !titles.includes(line))
    expect(inPipe.map(withoutVarying)).toEqual(printed.map(withoutVarying))
  })
})

describe.each(PAGES)('%s', (path) => {
  const page = readPage(path)

  test('has no broken link', () => {
    const broken = linksIn(page).filter((link) => {
      const [file, anchor] = link.split('#', 2) as [string, string | undefined]
      const target = file === '' ? path : relative(root, resolve(root, dirname(path), file))
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchorsOf(readPage(target)).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})
