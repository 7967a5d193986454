import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram, recordTerminal } from './terminal.js'

const LARGE_LENGTH = 'one line of a report that is much larger than a pipe\n'.length * 100_000

let folder = ''
let program = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omen-test-'))
  program = await buildProgram(new URL('./programs/output.ts', import.meta.url), folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the program in a shell, with a redirection of its output. */
function run(way: string, rest: string) {
  const script = `"${process.execPath}" "${program}" '${way}' ${rest}`
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], { maxBuffer: 1 << 28 })
  return { out: stdout.toString(), err: stderr.toString(), bytes: stdout, status }
}

it('everything is written to a pipe before the process exits', () => {
  expect(run('exit at once', '| wc -c').out.trim()).toBe(String(LARGE_LENGTH))
})

it('a full non-blocking pipe is waited for', () => {
  expect(run('non-blocking', '| wc -c').out.trim()).toBe(String(LARGE_LENGTH))
})

it('a reader that has gone is reported once, and further output is dropped', () => {
  const { out, err } = run('closed', '| head -n 1')
  expect(out).toBe('one line of a report that is much larger than a pipe\n')
  expect(err).toBe('closed\ndropped: true\n')
})

it('a full disk is an error that says what to do, reported once', () => {
  const { err, status } = run('full disk', '> /dev/full')
  expect(err).toBe(
    'cannot write to standard output: no space left on the device; free some space, or write to another device\nterminal: false\n',
  )
  expect(status).toBe(0)
})

it('a full disk for standard error does not stop the run', () => {
  expect(run('standard error on a full disk', '2> /dev/full')).toMatchObject({ out: 'went on\n', status: 0 })
})

it('characters are not split between pieces, and bytes are written unchanged', () => {
  const { bytes } = run('characters', '')
  const text = `${'a'.repeat((1 << 20) - 1)}🔥${'日'.repeat(1 << 20)}`
  expect(bytes.equals(Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x0a])]))).toBe(true)
})

it('a terminal is recognised', () => {
  expect(recordTerminal([process.execPath, program, 'full disk']).raw).toBe('report\r\nmore\r\nterminal: true\r\n')
})
