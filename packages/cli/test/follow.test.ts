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

/** Enough for the format to be clear. */
const BEGINNING = '2026-03-01T11:00:00Z all is well\n'.repeat(60)

/** With a line after them, entries are complete, and nobody has to wait whether they go on. */
function linesWith(...lines: string[]): string {
  const time = lines.at(-1)!.slice(0, full(0).indexOf(' '))
  return [...lines, `${time} all is well`].map((line) => `${line}\n`).join('')
}

function append(name: string, ...lines: string[]): void {
  const path = folder.path(`work/${name}`)
  if (!existsSync(path) || statSync(path).size === 0) appendFileSync(path, BEGINNING)
  appendFileSync(path, linesWith(...lines))
}

/** Makes files old: of one that was written to just now the last entry is waited for, which would depend on the clock. */
function age(...names: string[]): void {
  const then = new Date(Date.now() - 60_000)
  for (const name of names) utimesSync(folder.path(`work/${name}`), then, then)
}

const full = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}Z disk full`
/** What is printed when a disk is full at this second. */
const told = (second: number) => `TEST-0001 medium [1 hits @ ${full(second).slice(0, 20)}]\n`

/** The seconds at which disks were full, as the report that a run wrote has them. */
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

describe('what is followed', () => {
  it('is told as it comes, and in the report when it is left', async () => {
    append('app.log', full(1))
    const run = start('--follow', '-o', 'report.json', 'app.log')
    await run.said(told(1))
    append('app.log', full(2))
    await run.said(told(2))
    // Nothing comes after it, so that it is waited for a moment.
    appendFileSync(folder.path('work/app.log'), `${full(3)}\nthat goes on\n`)
    await run.said(told(3))
    await interrupt(run)
    expect(run.out).toMatch(/\nTEST-0001 medium \[3 hits @ .*\]\nWrote report to report\.json\n$/)
    expect(reported()).toEqual([1, 2, 3])
  })

  it('may be rotated by renaming, with what is still written to the old file', async () => {
    const run = start('--follow', '-o', 'report.json', 'app.log')
    append('app.log', full(1))
    await run.said(told(1))
    renameSync(folder.path('work/app.log'), folder.path('work/app.log.1'))
    append('app.log.1', full(2))
    await run.said(told(2))
    append('app.log', full(3))
    await run.said(told(3))
    await interrupt(run)
    expect(reported()).toEqual([1, 2, 3])
  })

  it('may be rotated by copying and emptying', async () => {
    const run = start('--follow', '-o', 'report.json', 'app.log')
    append('app.log', full(1), full(2))
    await run.said(/\[[12] hits/)
    truncateSync(folder.path('work/app.log'))
    append('app.log', full(3))
    await run.said(told(3))
    await interrupt(run)
    expect(reported()).toEqual([1, 2, 3])
  })

  it('may come into being later', async () => {
    const run = start('--follow', '-o', 'report.json', 'later.log')
    await run.said('Warning: later.log: does not exist yet: waiting for it\n')
    append('later.log', full(1))
    await run.said(told(1))
    run.kill('SIGTERM')
    expect((await run.ended).status).toBe(143)
    expect(reported()).toEqual([1])
  })

  it('may be standard input, to its end', async () => {
    const run = start('--follow', '-o', 'report.json')
    await run.give(BEGINNING + linesWith(full(1)))
    await run.said(told(1))
    await run.give(linesWith(full(2)))
    await run.said(told(2))
    run.giveNoMore()
    expect(await run.ended).toMatchObject({ status: 0, err: '' })
    expect(reported()).toEqual([1, 2])
  })

  it('says nothing with -q, and the report has it', async () => {
    const run = start('--follow', '-q', '-l', 'debug', '-o', 'report.json', '--state', 'state.json')
    await run.give(`${full(1)}\n`)
    run.giveNoMore()
    expect(await run.ended).toMatchObject({ status: 0, out: '' })
    expect(reported()).toEqual([1])
  })
})

describe('a state file', () => {
  const FLAGS = ['--state', 'state.json', 'app.log']

  it('lets the next run go on: nothing is told twice, nothing is lost', async () => {
    append('app.log', full(1), '2026-03-01T12:00:02Z begin')
    const first = start('--follow', '-o', 'first.json', ...FLAGS)
    await first.said(told(1))
    await interrupt(first)
    append('app.log', full(3), '2026-03-01T12:00:04Z end')
    const second = start('--follow', '-o', 'second.json', ...FLAGS)
    await second.said(told(3))
    // It began in the run before.
    await second.said('TEST-0002 critical [1 hits @ 2026-03-01T12:00:02Z]\n')
    append('app.log', full(5))
    await second.said(told(5))
    await interrupt(second)
    expect([reported('first.json'), reported('second.json')]).toEqual([[1], [3, 5]])
    expect(existsSync(folder.path('work/state.json.lock'))).toBe(false)
  })

  it('of a run that was killed loses nothing', async () => {
    append('app.log', full(1))
    const first = start('--follow', '-o', '', ...FLAGS)
    await first.said(told(1))
    append('app.log', full(2))
    first.kill('SIGKILL')
    expect((await first.ended).status).toBe('SIGKILL')
    append('app.log', full(3))
    const second = start('--follow', '-o', 'second.json', ...FLAGS)
    await second.said(/ hits @ 2026-03-01T12:00:0[123]Z\]\n/)
    append('app.log', full(4))
    await second.said(told(4))
    await interrupt(second)
    // What was told a moment before the end may be told again; whether the second was told by then is chance.
    const toldBefore = [1, 2].filter((at) => first.out.includes(told(at)))
    const toldAfter = reported('second.json')
    expect([...new Set([...toldBefore, ...toldAfter])].sort()).toEqual([1, 2, 3, 4])
    expect(toldAfter).toEqual([1, 2, 3, 4].slice(-toldAfter.length))
  })

  it('without --follow is for a job that runs now and then', async () => {
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

  it('is for one run at a time', async () => {
    append('app.log', full(1))
    const run = start('--follow', '-o', '', ...FLAGS)
    await run.said(told(1))
    const { status, out, err } = await start('-o', '', ...FLAGS).ended
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toBe(
      `State error: state.json: in use by process ${run.pid}: stop it, or name another file with --state\n`,
    )
    await interrupt(run)
  })

  it('that is none is refused and left as it is', async () => {
    folder.write('work/state.json', '{"not": "ours"}')
    const { status, err } = await start('-o', '', ...FLAGS).ended
    expect({ status, err }).toEqual({ status: 1, err: expect.stringMatching(/^State error: state\.json: [^\n]*\n$/) })
    expect(readFileSync(folder.path('work/state.json'), 'utf8')).toBe('{"not": "ours"}')
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

  it('tells the first problem at once, and in the end what came since', async () => {
    receiver = await startReceiver()
    folder.write('config/config.yaml', `notification: {type: webhook, webhook: "http://127.0.0.1:${receiver.port}/"}\n`)
    const run = start('--follow', '-o', 'nightly: ', 'app.log')
    append('app.log', full(1))
    await run.during(receiver.arrival)
    append('app.log', full(2))
    await run.said(told(2))
    append('app.log', full(3))
    await run.said(told(3))
    await interrupt(run)
    expect(idsAndHits()).toEqual([[['TEST-0001', 1]], [['TEST-0001', 2]]])
  })

  it('that could not be delivered is delivered by the next run', async () => {
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
