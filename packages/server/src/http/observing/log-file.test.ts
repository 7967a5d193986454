import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger, openLogFile } from './log.js'

let folder = ''
let fd = -1
const path = () => join(folder, 'log')
const written = () => readFileSync(path(), 'utf8')
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-log-'))
  fd = openSync(path(), 'w+')
})
afterEach(() => {
  closeSync(fd)
  rmSync(folder, { recursive: true, force: true })
})

test('all lines are written soon, and in their order', async () => {
  const log = openLogFile(fd)
  const expected = lines(1_000)
  for (const [i, line] of expected.entries()) {
    log.write(line)
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await vi.waitFor(() => expect(written()).toBe(expected.join('')), { timeout: 60_000 })
})

test('lines that are logged during a write are written after it', async () => {
  const log = openLogFile(fd)
  log.write('first\n')
  await vi.waitFor(() => expect(written()).toBe('first\n'), { timeout: 60_000 })
  log.write('second\n')
  await vi.waitFor(() => expect(written()).toBe('first\nsecond\n'), { timeout: 60_000 })
})

test('a fatal line is written at once', () => {
  const logger = createLogger({ level: 'info', destination: openLogFile(fd) })
  logger.info('before')
  logger.fatal('the end')
  expect(
    written()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  ).toEqual(['before', 'the end'])
})

test('lines over the limit are dropped as a whole', () => {
  const log = openLogFile(fd, 30)
  for (const line of lines(100)) log.write(line)
  log.flushSync()
  expect(written()).toBe('line 0\nline 1\nline 2\nline 3\n')
})

test('a log that cannot be written does not stop the service', async () => {
  const readOnly = openSync(path(), 'r')
  const log = openLogFile(readOnly)
  log.write('lost\n')
  log.flushSync()
  log.write('lost, too\n')
  await new Promise((resolve) => setImmediate(resolve))
  log.flushSync()
  closeSync(readOnly)
  expect(written()).toBe('')
})
