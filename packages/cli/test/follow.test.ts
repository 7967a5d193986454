import { appendFileSync, existsSync, readFileSync, renameSync, statSync, truncateSync, utimesSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RULES } from './example.js'
import { useFolder } from './omen.js'
import { type Receiver, startReceiver } from './receiver.js'
import { type Running, useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()

beforeEach(() => {
  folder.remove('work')
  folder.write('rules.yaml', RULES)
  folder.write('work/app.log', '')
})

function start(...args: string[]): Running {
  const options = { cwd: folder.path('work'), env: folder.environment() }
  return processes.omen(['-d', '-r', '../rules.yaml', ...args], options)
}

/** Enough lines to detect the timestamp format, at the time of this line. */
function beginning(line: string): string {
  return `${timeOf(line).toISOString()} all is well\n`.repeat(60)
}

/** Adds a line that is later by more than a second, so that those before it are matched without a wait. */
function linesWith(...lines: string[]): string {
  const later = new Date(timeOf(lines.at(-1)!).getTime() + 1500)
  return [...lines, `${later.toISOString()} all is well`].map((line) => `${line}\n`).join('')
}

function timeOf(line: string): Date {
  return new Date(line.slice(0, line.indexOf(' ')))
}

function append(name: string, ...lines: string[]): void {
  const path = folder.path(`work/${name}`)
  if (!existsSync(path) || statSync(path).size === 0) appendFileSync(path, beginning(lines[0]!))
  appendFileSync(path, linesWith(...lines))
}

/** Makes files old, because the last entry of a file that was written just now may not be matched yet. */
function age(...names: string[]): void {
  const then = new Date(Date.now() - 60_000)
  for (const name of names) utimesSync(folder.path(`work/${name}`), then, then)
}

const full = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}Z disk full`
/** The printed line of a full disk at this second. */
const fullLine = (second: number) => `TEST-0001 medium [1 hits @ ${full(second).slice(0, 20)}]\n`

/** The seconds at which disks were full, from the report of a run. */
function reported(name = 'report.json'): number[] {
  const report: { id: string; hits: { timestamp: string }[] }[] = JSON.parse(
    readFileSync(folder.path(`work/${name}`), 'utf8'),
  )
  const problem = report.find(({ id }) => id === 'TEST-0001')
  return problem?.hits.map(({ timestamp }) => Number(timestamp.slice(17, 19))) ?? []
}

async function interrupt(run: Running) {
  run.kill('SIGINT')
  const { status, err } = await run.ended
  expect({ status, err }).toEqual({ status: 130, err: '' })
}

describe('a followed log', () => {
  it('is reported line by line, and as a whole when the run is interrupted', async () => {
    append('app.log', full(1))
    const run = start('--follow', '-o', 'report.json', 'app.log')
    await run.printed(fullLine(1))
    append('app.log', full(2))
    await run.printed(fullLine(2))
    // The last entry, which is matched after a moment without new lines.
    appendFileSync(folder.path('work/app.log'), `${full(3)}\nwith a second line\n`)
    await run.printed(fullLine(3))
    await interrupt(run)
    expect(run.out).toMatch(/\nTEST-0001 medium \[3 hits @ .*\]\nWrote report to report\.json\n$/)
    expect(reported()).toEqual([1, 2, 3])
  })

  it('may be rotated by renaming, even if its writer still uses the old file', async () => {
    const run = start('--follow', '-o', 'report.json', 'app.log')
    append('app.log', full(1))
    await run.printed(fullLine(1))
    renameSync(folder.path('work/app.log'), folder.path('work/app.log.1'))
    append('app.log.1', full(2))
    await run.printed(fullLine(2))
    append('app.log', full(3))
    await run.printed(fullLine(3))
    await interrupt(run)
    expect(reported()).toEqual([1, 2, 3])
  })

  it('may be rotated by copying and truncating', async () => {
    const run = start('--follow', '-o', 'report.json', 'app.log')
    append('app.log', full(1), full(2))
    await run.printed(/\[[12] hits/)
    truncateSync(folder.path('work/app.log'))
    append('app.log', full(3))
    await run.printed(fullLine(3))
    await interrupt(run)
    expect(reported()).toEqual([1, 2, 3])
  })

  it('may be created later', async () => {
    const run = start('--follow', '-o', 'report.json', 'later.log')
    await run.printed('Warning: later.log: does not exist yet: waiting for it\n')
    append('later.log', full(1))
    await run.printed(fullLine(1))
    run.kill('SIGTERM')
    expect((await run.ended).status).toBe(143)
    expect(reported()).toEqual([1])
  })

  it('may be standard input, to its end', async () => {
    const run = start('--follow', '-o', 'report.json')
    await run.write(beginning(full(1)) + linesWith(full(1)))
    await run.printed(fullLine(1))
    await run.write(linesWith(full(2)))
    await run.printed(fullLine(2))
    run.endInput()
    expect(await run.ended).toMatchObject({ status: 0, err: '' })
    expect(reported()).toEqual([1, 2])
  })

  it('prints nothing with -q, and is in the report', async () => {
    const run = start('--follow', '-q', '-l', 'debug', '-o', 'report.json', '--state', 'state.json')
    await run.write(`${full(1)}\n`)
    run.endInput()
    expect(await run.ended).toMatchObject({ status: 0, out: '' })
    expect(reported()).toEqual([1])
  })
})

describe('a state file', () => {
  const FLAGS = ['--state', 'state.json', 'app.log']

  it('lets the next run continue without repeating or losing a detection', async () => {
    append('app.log', full(1), '2026-03-01T12:00:02Z begin')
    const first = start('--follow', '-o', 'first.json', ...FLAGS)
    await first.printed(fullLine(1))
    await interrupt(first)
    append('app.log', full(3), '2026-03-01T12:00:04Z end')
    const second = start('--follow', '-o', 'second.json', ...FLAGS)
    await second.printed(fullLine(3))
    // Its first entry was in the previous run.
    await second.printed('TEST-0002 critical [1 hits @ 2026-03-01T12:00:02Z]\n')
    append('app.log', full(5))
    await second.printed(fullLine(5))
    await interrupt(second)
    expect([reported('first.json'), reported('second.json')]).toEqual([[1], [3, 5]])
    expect(existsSync(folder.path('work/state.json.lock'))).toBe(false)
  })

  it('of a killed run loses no detection', async () => {
    append('app.log', full(1))
    const first = start('--follow', '-o', '', ...FLAGS)
    await first.printed(fullLine(1))
    append('app.log', full(2))
    first.kill('SIGKILL')
    expect((await first.ended).status).toBe('SIGKILL')
    append('app.log', full(3))
    const second = start('--follow', '-o', 'second.json', ...FLAGS)
    await second.printed(/ hits @ 2026-03-01T12:00:0[123]Z\]\n/)
    append('app.log', full(4))
    await second.printed(fullLine(4))
    await interrupt(second)
    // Detections just before SIGKILL may be repeated; whether the second one was printed depends on timing.
    const before = [1, 2].filter((at) => first.out.includes(fullLine(at)))
    const after = reported('second.json')
    expect([...new Set([...before, ...after])].sort()).toEqual([1, 2, 3, 4])
    expect(after).toEqual([1, 2, 3, 4].slice(-after.length))
  })

  it('works without --follow, for a job that runs repeatedly', async () => {
    const run = async (...written: string[]) => {
      age(...written)
      const { status, out, err } = await start('-q', '-o', 'report.json', ...FLAGS).ended
      expect({ status, out, err }).toEqual({ status: 0, out: '', err: '' })
      return reported()
    }
    append('app.log', full(1), full(2))
    expect(await run('app.log')).toEqual([1, 2])
    expect(await run()).toEqual([])
    append('app.log', full(3))
    expect(await run('app.log')).toEqual([3])
    renameSync(folder.path('work/app.log'), folder.path('work/app.log.1'))
    append('app.log.1', full(4))
    append('app.log', full(5))
    expect(await run('app.log.1', 'app.log')).toEqual([4, 5])
    expect(await run()).toEqual([])
  })

  it('can be used by only one run at a time', async () => {
    append('app.log', full(1))
    const run = start('--follow', '-o', '', ...FLAGS)
    await run.printed(fullLine(1))
    const { status, out, err } = await start('-o', '', ...FLAGS).ended
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toBe(
      `State error: state.json: in use by process ${run.pid}: stop it, or name another file with --state\n`,
    )
    await interrupt(run)
  })

  it('with other content is refused and not changed', async () => {
    folder.write('work/state.json', '{"other": "content"}')
    const { status, err } = await start('-o', '', ...FLAGS).ended
    expect({ status, err }).toEqual({ status: 1, err: expect.stringMatching(/^State error: state\.json: [^\n]*\n$/) })
    expect(readFileSync(folder.path('work/state.json'), 'utf8')).toBe('{"other": "content"}')
    expect(existsSync(folder.path('work/state.json.lock'))).toBe(false)
  })
})

describe('a notification', () => {
  let receiver: Receiver
  afterEach(async () => {
    await receiver.close()
    folder.remove('config/config.yaml')
  })

  const idsAndHits = () =>
    receiver.requests.map(({ body }) =>
      JSON.parse(body).problems.map(({ id, hits }: { id: string; hits: number }) => [id, hits]),
    )

  it('reports the first problem at once, and the others at the end', async () => {
    receiver = await startReceiver()
    folder.write('config/config.yaml', `notification: {type: webhook, webhook: "http://127.0.0.1:${receiver.port}/"}\n`)
    const run = start('--follow', '-o', 'nightly: ', 'app.log')
    append('app.log', full(1))
    await run.during(receiver.arrival)
    append('app.log', full(2))
    await run.printed(fullLine(2))
    append('app.log', full(3))
    await run.printed(fullLine(3))
    await interrupt(run)
    expect(idsAndHits()).toEqual([[['TEST-0001', 1]], [['TEST-0001', 2]]])
  })

  it('is delivered by the next run if it could not be delivered', async () => {
    receiver = await startReceiver({ status: 403 }, { status: 403 }, { status: 200 })
    folder.write('config/config.yaml', `notification: {type: webhook, webhook: "http://127.0.0.1:${receiver.port}/"}\n`)
    append('app.log', full(1))
    age('app.log')
    const flags = ['-q', '-o', '', '--state', 'state.json', 'app.log']
    const first = await start(...flags).ended
    expect({ status: first.status, err: first.err }).toEqual({
      status: 1,
      err: expect.stringMatching(/^Network error: .*HTTP 403/),
    })
    const failed = receiver.requests.length
    expect(await start(...flags).ended).toEqual({ status: 0, out: '', err: '' })
    expect(idsAndHits().slice(failed)).toEqual([[['TEST-0001', 1]]])
  })
})
