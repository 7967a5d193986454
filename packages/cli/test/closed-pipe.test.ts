import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { LOG, RULES } from './example.js'
import { program, useFolder } from './omen.js'
import { useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()

/** Its report is many times what a pipe holds. */
const LONG_LOG = '2026-03-01T12:00:01Z disk full\n'.repeat(20_000)

beforeEach(() => {
  folder.write('rules.yaml', RULES)
  folder.write('app.log', LOG)
  folder.write('long.log', LONG_LOG)
  folder.remove('report.json')
})

/** Runs a command line of a shell, in which `omen` is the built tool with the rules of these tests. */
function shell(line: string) {
  const omen = `omen() { "${process.execPath}" "${program}" -d -r rules.yaml "$@"; }`
  // The exit code of the tool, whoever stands at the end of the pipe.
  const script = `${omen}; told() { "$@"; echo $? > status; }; ${line}`
  const options = { cwd: folder.path('.'), env: folder.environment() }
  const { stdout, stderr } = spawnSync('sh', ['-c', script], options)
  return { status: readFileSync(folder.path('status'), 'utf8').trim(), out: stdout.toString(), err: stderr.toString() }
}

function start(...args: string[]) {
  return processes.omen(['-d', '-r', 'rules.yaml', ...args], { cwd: folder.path('.'), env: folder.environment() })
}

const reportFile = (): { hits: unknown[] }[] => JSON.parse(readFileSync(folder.path('report.json'), 'utf8'))

describe('a reader that has seen enough', () => {
  it('of the report ends the run quietly', () => {
    expect(shell('told omen -q -o - long.log | head -c 10')).toEqual({ status: '0', out: '[\n  {\n    ', err: '' })
  })

  it('of the summary does not cost the report', () => {
    const { status, out, err } = shell('told omen -o report.json long.log | head -n 1')
    expect({ status, err }).toEqual({ status: '0', err: '' })
    expect(out).toMatch(/^Parsing rules done! \[2 rules .*\]\n$/)
    expect(reportFile()[0]?.hits).toHaveLength(20_000)
  })

  it('before anything was said does not cost the report, and the exit code is that of the scan', async () => {
    const run = start('-o', 'report.json', '--fail-on', 'critical')
    run.stopReading()
    await run.give(LOG)
    run.giveNoMore()
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
  ])('of omen %s is no error', async (line) => {
    const args = [
      program,
      ...line.split(' '),
      ...(/^(rules (list|show)|explain)/.test(line) ? ['-d', '-r', 'rules.yaml'] : []),
    ]
    const run = processes.start(process.execPath, args, { cwd: folder.path('.'), env: folder.environment() })
    run.stopReading()
    expect(await run.ended).toEqual({ status: 0, out: '', err: '' })
  })

  it('ends what would follow for ever', async () => {
    const run = start('--follow', '-o', 'report.json', 'app.log')
    await run.said('TEST-0001')
    await run.said('TEST-0002')
    run.stopReading()
    appendFileSync(folder.path('app.log'), '2026-03-01T12:00:05Z disk full\n')
    expect(await run.ended).toMatchObject({ status: 0, err: '' })
    expect(reportFile().map(({ hits }) => hits.length)).toEqual([2, 3])
  })
})

describe('closed from the start', () => {
  it('standard output: the report is written all the same', () => {
    expect(shell('told omen -o report.json app.log >&-')).toEqual({ status: '0', out: '', err: '' })
    expect(reportFile()).toHaveLength(2)
  })

  it('standard error: what goes wrong still shows in the exit code', () => {
    const { status, out } = shell('told omen -o report.json missing.log app.log 2>&-')
    expect({ status, isFound: out.includes('\nTEST-0001 medium [2 hits') }).toEqual({ status: '1', isFound: true })
    expect(reportFile()).toHaveLength(2)
    expect(shell('told omen --nonsense 2>&-')).toEqual({ status: '2', out: '', err: '' })
  })

  it('standard input: there is nothing to read', () => {
    expect(shell('told omen -q -o - <&-')).toEqual({ status: '0', out: '[]\n', err: '' })
    expect(shell('told omen -q -o report.json app.log <&-')).toEqual({ status: '0', out: '', err: '' })
  })

  it('all three', () => {
    expect(shell('told omen -o report.json app.log <&- >&- 2>&-')).toEqual({ status: '0', out: '', err: '' })
    expect(reportFile()).toHaveLength(2)
  })
})

it('a standard error that nobody reads stops nothing', () => {
  const { status, out } = shell('{ told omen -l trace -o report.json missing.log app.log 2>&1 >&3 | true; } 3>&1')
  expect({ status, isFound: out.includes('\nTEST-0001 medium [2 hits') }).toEqual({ status: '1', isFound: true })
  expect(reportFile()).toHaveLength(2)
})
