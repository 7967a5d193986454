import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildProgram, openTerminal, type Terminal } from './terminal.js'

let folder = ''
let program = ''
let terminal: Terminal
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omen-test-'))
  program = await buildProgram(new URL('./programs/live-progress.ts', import.meta.url), folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  terminal = openTerminal([process.execPath, program], { columns: 100, rows: 30 })
})
afterEach(() => terminal.close())

const PARSED = 'Parsing rules done! [412 rules in 40ms; 10.3k rules/s]'

it('a terminal shows live lines, also after it is made narrower, and final lines at the end', async () => {
  await terminal.reached('live')
  expect(terminal.lines()).toEqual([
    PARSED,
    '⠹ Problems detected                  3 problems  2.10s',
    '⠹ Reading /var/log/kafka/server.log  ━━━━━━━━━━━──────────────   47%  472.0 MB  224.8 MB/s  3s left',
    '⠹ Reading /var/log/日本/アプリ.log   ━━━─────────────────────   12%  125.0 MB   61.4 MB/s  15s left',
    '  Reading api.log.gz',
    '⠹ Matching lines                     4.2M lines  2.1M lines/s  2.10s',
  ])
  expect(terminal.isCursorVisible).toBe(false)

  terminal.resize(60, 20)
  terminal.resume('live')
  await terminal.reached('resized')
  const narrow = [
    '⠸ Problems detected        3 problems  2.20s',
    '⠸ Reading…afka/server.log   48%  217.8 MB/s  3s left',
    '⠸ Reading…日本/アプリ.log   12%   58.5 MB/s  15s left',
    '  Reading api.log.gz',
    '⠸ Matching lines           4.2M lines  2.0M lines/s  2.20s',
  ]
  expect(terminal.lines()).toEqual(narrow)
  // Lines that tmux wraps and scrolls off the screen cannot be erased; no printed line is lost.
  expect(terminal.allLines()[0]).toBe(PARSED)
  terminal.resume('resized')

  await terminal.reached('printed')
  expect(terminal.lines()).toEqual([
    'CRE-2026-0001 critical [1 hits @ 2026-03-01T12:00:01Z]',
    'Warning: api.log.gz: no timestamp in the first 50 lines',
    ...narrow,
  ])
  terminal.resume('printed')

  await terminal.reached('finishing')
  terminal.resume('finishing')
  expect(await terminal.ended()).toBe(0)
  expect(terminal.lines()).toEqual([
    'CRE-2026-0001 critical [1 hits @ 2026-03-01T12:00:01Z]',
    'Warning: api.log.gz: no timestamp in the first 50 lines',
    'Problems detected done! [3 problems in 3.10s; 1 problem/s]',
    'Reading /var/log/kafka/server.log done! [1.0 GB in 2.20s; 45',
    '4.5 MB/s]',
    'Reading api.log.gz done! [12.0 MB in 2.20s; 5.5 MB/s]',
    'Matching lines done! [9.0M lines in 3.10s; 2.9M lines/s]',
  ])
  expect(terminal.isCursorVisible).toBe(true)
})
