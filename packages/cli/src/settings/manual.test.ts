import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEntries } from '@omen/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCATION_KEYS, readDataSourceFile, SOURCE_KEYS } from '../sources/data-source-file.js'
import { CONFIG_KEYS } from './config-keys.js'
import { describeKeys } from './document/key-table.js'
import { loadSettings } from './load-settings.js'

const manual = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
const configuration = manual('configuration.md')
const dataSources = manual('data-sources.md')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-manual-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The rows of every table that has these headings, one table after the other. */
function tables(text: string, headings: readonly string[]): string[][][] {
  const found: string[][][] = []
  let table: string[][] | undefined
  for (const line of text.split('\n')) {
    const cells = line.startsWith('|')
      ? line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim())
      : undefined
    if (cells === undefined) table = undefined
    else if (cells.join() === headings.join()) {
      table = []
      found.push(table)
    } else if (!/^-+$/.test(cells[0]!)) table?.push(cells)
  }
  return found
}

const KEY_TABLE = ['key', 'value', 'default', 'meaning']

function examples(text: string): string[] {
  return [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, code]) => code!)
}

describe('docs/configuration.md', () => {
  test('lists exactly the known keys', () => {
    expect(tables(configuration, KEY_TABLE)).toEqual([describeKeys(CONFIG_KEYS)])
  })

  test.each(examples(configuration))('shows a valid file', async (text) => {
    writeFileSync(join(folder, 'config.yaml'), text)
    const { warnings, origins } = await loadSettings({ folder, env: { HOME: folder } })
    expect(warnings).toEqual([])
    expect(origins.size).toBeGreaterThan(0)
  })
})

describe('docs/data-sources.md', () => {
  test('lists exactly the known keys', () => {
    expect(tables(dataSources, KEY_TABLE)).toEqual([describeKeys(SOURCE_KEYS), describeKeys(LOCATION_KEYS)])
  })

  test.each(examples(dataSources))('shows a valid file', async (text) => {
    const path = join(folder, 'sources.yaml')
    writeFileSync(path, text)
    expect(await readDataSourceFile(path)).toMatchObject({ warnings: [] })
  })

  const formats = tables(dataSources, ['line', '`regex`', '`format`']).flat()

  test.each(formats)('%s has its time found by %s and %s', async (line, regex, format) => {
    const plain = (cell: string) => cell.slice(1, -1)
    const timestamp = { regex: plain(regex), format: plain(format) }
    const times: string[] = []
    const now = new Date('2026-03-02T00:00:00Z')
    for await (const entry of readEntries(new TextEncoder().encode(`${plain(line)}\n`), { timestamp, now })) {
      times.push(new Date(Number(entry.timestamp / 1_000_000n)).toISOString())
    }
    expect(times).toEqual([expect.stringMatching(/^2026-03-01T1[12]:00:01\.(000|250)Z$/)])
  })
})
