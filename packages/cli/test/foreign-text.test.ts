import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram, openTerminal } from './terminal.js'

let folder = ''
let program = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omen-test-'))
  program = await buildProgram(new URL('./programs/foreign-text.ts', import.meta.url), folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a real terminal shows text with the measured width, and interprets no escape sequence in it', async () => {
  const terminal = openTerminal([process.execPath, program])
  try {
    const title = terminal.title
    expect(await terminal.ended()).toBe(0)
    const lines = terminal.lines()
    const widths = lines.slice(0, 13).map((line) => / measured (\d+) shown (\d+)$/.exec(line)!)
    expect(widths.map(([, measured]) => measured)).toEqual(widths.map(([, , shown]) => shown))
    expect(lines.slice(13)).toEqual(['␛]0;owned␇title', 'up␛[5A␛[2J', 'back␈␈␈␈forth␍', '\ufffd2J␛c', 'two␊lines'])
    expect(terminal.title).toBe(title)
  } finally {
    terminal.close()
  }
})
