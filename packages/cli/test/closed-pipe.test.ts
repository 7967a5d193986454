import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { LOG, RULES } from './example.js'
import { program, useFolder } from './omen.js'
import { useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()

/** Its report is many times larger than the buffer of a pipe. */
const LONG_LOG = '2026-03-01T12:00:01Z disk full\n'.repeat(20_000)

beforeEach(() => {
  folder.write('rules.yaml', RULES)
  folder.write('app.log', LOG)
  folder.write('long.log', LONG_LOG)
  folder.remove('report.json')
})

/** Runs a shell command in which `omen` is the built tool with the rules of these tests. */
function shell(line: string) {
  const omen = `omen() { "${process.execPath}" "${program}" -d -r rules.yaml "$@"; }`
  // Saves the exit code of the tool, which may not be the last command of the pipe.
  const script = `${omen}; save_status() { "$@"; echo $? > status; }; ${line}`
  const options = { cwd: folder.path('.'), env: folder.environment() }
  const { stdout, stderr } = spawnSync('sh', ['-c', script], options)
  return { status: readFileSync(folder.path('status'), 'utf8').trim(), out: stdout.toString(), err: stderr.toString() }
}

function start(...args: string[]) {
  return processes.omen(['-d', '-r', 'rules.yaml', ...args], { cwd: folder.path('.'), env: folder.environment() })
}

const reportFile = (): { hits: unknown[] }[] => JSON.parse(readFileSync(folder.path('report.json'), 'utf8'))

describe('a reader that closes its pipe', () => {
  it('ends the output of the report without an error', () => {
    expect(shell('save_status omen -q -o - long.log | head -c 10')).toEqual({
      status: '0',
      out: '[\n  {\n    ',
      err: '',
    })
  })

  it('does not prevent the report if it read the summary', () => {
    const { status, out, err } = shell('save_status omen -o report.json long.log | head -n 1')
    expect({ status, err }).toEqual({ status: '0', err: '' })
    expect(out).toMatch(/^Parsing rules done! \[2 rules .*\]\n$/)
    expect(reportFile()[0]?.hits).toHaveLength(20_000)
  })

  it('before any output does not prevent the report or change the exit code', async () => {
    const run = start('-o', 'report.json', '--fail-on', 'critical')
    run.closeOutput()
    await run.write(LOG)
    run.endInput()
    expect(await run.ended).toEqual({ status: 3, out: '', err: '' })
    expect(reportFile()).toHaveLength(2)
  })

  it.each([
    'rules list',
    'rules schema',
    'rules show TEST-0001',
    'explain TEST-0001',
    'help',
    'config',
    'completion bash',
    '-j -o -',
  ])('is not an error for omen %s', async (line) => {
    const args = [
      program,
      ...line.split(' '),
      ...(/^(rules (list|show)|explain)/.test(line) ? ['-d', '-r', 'rules.yaml'] : []),
    ]
    const run = processes.start(process.execPath, args, { cwd: folder.path('.'), env: folder.environment() })
    run.closeOutput()
    expect(await run.ended).toEqual({ status: 0, out: '', err: '' })
  })

  it('ends a run with --follow', async () => {
    const run = start('--follow', '-o', 'report.json', 'app.log')
    await run.printed('TEST-0001')
    await run.printed('TEST-0002')
    run.closeOutput()
    appendFileSync(folder.path('app.log'), '2026-03-01T12:00:05Z disk full\n')
    expect(await run.ended).toMatchObject({ status: 0, err: '' })
    expect(reportFile().map(({ hits }) => hits.length)).toEqual([2, 3])
  })
})

describe('a stream that is closed from the start', () => {
  it('may be standard output: the report is still written', () => {
    expect(shell('save_status omen -o report.json app.log >&-')).toEqual({ status: '0', out: '', err: '' })
    expect(reportFile()).toHaveLength(2)
  })

  it('may be standard error: failures still change the exit code', () => {
    const { status, out } = shell('save_status omen -o report.json missing.log app.log 2>&-')
    expect({ status, isFound: out.includes('\nTEST-0001 medium [2 hits') }).toEqual({ status: '1', isFound: true })
    expect(reportFile()).toHaveLength(2)
    expect(shell('save_status omen --nonsense 2>&-')).toEqual({ status: '2', out: '', err: '' })
  })

  it('may be standard input: it is read as empty', () => {
    expect(shell('save_status omen -q -o - <&-')).toEqual({ status: '0', out: '[]\n', err: '' })
    expect(shell('save_status omen -q -o report.json app.log <&-')).toEqual({ status: '0', out: '', err: '' })
  })

  it('may be each of the three', () => {
    expect(shell('save_status omen -o report.json app.log <&- >&- 2>&-')).toEqual({ status: '0', out: '', err: '' })
    expect(reportFile()).toHaveLength(2)
  })
})

it('a standard error without a reader does not stop the run', () => {
  const { status, out } = shell(
    '{ save_status omen -l trace -o report.json missing.log app.log 2>&1 >&3 | true; } 3>&1',
  )
  expect({ status, isFound: out.includes('\nTEST-0001 medium [2 hits') }).toEqual({ status: '1', isFound: true })
  expect(reportFile()).toHaveLength(2)
})
