import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { LOG, RULES } from './example.js'
import { useFolder } from './omen.js'
import { startReceiver } from './receiver.js'
import { useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()
const OWN = ['-d', '-r', 'rules.yaml']

/** More than the buffer of a pipe: when it was written, everything before it was read. */
const FILLER = '2026-03-01T12:00:05Z nothing of interest\n'.repeat(50_000)

/** So large that reading it cannot end before the signal. */
const ENDLESS = 2 ** 40

/** Large enough to be divided among several threads. */
const LARGE = 40 * 1024 * 1024

beforeEach(() => {
  folder.write('rules.yaml', RULES)
  folder.write('app.log', LOG)
  folder.remove('report.json')
  folder.remove('temporary')
  mkdirSync(folder.path('temporary'))
})

function start(args: readonly string[]) {
  const env = folder.environment({ TMPDIR: folder.path('temporary') })
  return processes.omen([...OWN, ...args], { cwd: folder.path('.'), env })
}

/** Writes a sparse file: a log, then zeros, which need no disk space. */
function writeSparse(name: string, size: number): void {
  truncateSync(folder.write(name, LOG), size)
}

/** Writes gzip data that takes minutes to read: a log, then zeros. */
function writeEndlessGzip(name: string): void {
  const zeros = gzipSync(new Uint8Array(64 * 1024 * 1024), { level: 1 })
  folder.write(name, gzipSync(LOG))
  const some = Buffer.concat(Array.from({ length: 10 }, () => zeros))
  for (let size = 0; size < LARGE; size += some.length) appendFileSync(folder.path(name), some)
}

function reported(text: string): { id: string; sources: string[] }[] {
  return JSON.parse(text).map(({ id, hits }: { id: string; hits: { source: string }[] }) => {
    return { id, sources: [...new Set(hits.map(({ source }) => source))] }
  })
}

const reportFile = () => reported(readFileSync(folder.path('report.json'), 'utf8'))

const INTERRUPTED = 'Warning: interrupted: not all of the data was read\n'

function expectNothingLeft(): void {
  expect(readdirSync(folder.path('temporary'))).toEqual([])
  expect(readdirSync(folder.path('.')).filter((name) => name.startsWith('.'))).toEqual([])
}

describe('a pipe', () => {
  it('without data can be interrupted', async () => {
    const run = start(['-o', '-'])
    await run.printed('Parsing rules done!')
    run.kill('SIGINT')
    const { status, out, err } = await run.ended
    expect({ status, err }).toEqual({ status: 130, err: INTERRUPTED })
    expect(out).toMatch(/\nReading stdin done! \[0 B .*\n(.*\n)*\[\]\n$/)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'without further data can be interrupted with %s, and the findings so far are reported',
    async (signal, status) => {
      const run = start(['-o', 'report.json'])
      await run.write(LOG + FILLER)
      run.kill(signal)
      expect(await run.ended).toMatchObject({ status, err: INTERRUPTED })
      expect(run.out).toContain('\nTEST-0002 critical [1 hits @ 2026-03-01T12:00:02.5Z]\n')
      expect(run.out).toContain('\nTEST-0001 medium [2 hits @ 2026-03-01T12:00:01Z]\n')
      expect(run.out).toMatch(/\nWrote report to report\.json\n$/)
      expect(reportFile()).toEqual([
        { id: 'TEST-0002', sources: ['stdin'] },
        { id: 'TEST-0001', sources: ['stdin'] },
      ])
      expectNothingLeft()
    },
  )

  it('of compressed data can be interrupted', async () => {
    const run = start(['-q', '-o', '-'])
    await run.write(gzipSync(LOG))
    // Random data does not compress, so it is larger than the buffer of the pipe.
    const noise = Array.from({ length: 200_000 }, () => Math.random().toString(36)).join('\n')
    await run.write(gzipSync(noise))
    run.kill('SIGINT')
    expect(await run.ended).toMatchObject({ status: 130, err: '' })
    expect(reported(run.out).map(({ id }) => id)).toEqual(['TEST-0002', 'TEST-0001'])
  })

  it('without a writer can be interrupted', async () => {
    execFileSync('mkfifo', [folder.path('pipe')])
    const run = start(['-l', 'debug', '--threads', '1', '-o', '-', 'app.log', 'pipe'])
    await run.printed('source read source=app.log')
    run.kill('SIGINT')
    expect((await run.ended).status).toBe(130)
    expect(run.out).toContain('\nTEST-0001 medium [2 hits')
  })
})

describe('a large file', () => {
  it('can be interrupted on one thread', async () => {
    writeSparse('endless.log', ENDLESS)
    const run = start(['-l', 'debug', '--threads', '1', '-o', 'report.json', 'app.log', 'endless.log'])
    await run.printed('source read source=app.log')
    run.kill('SIGINT')
    expect((await run.ended).status).toBe(130)
    expect(run.out).not.toContain('TB')
    expect(reportFile()).toEqual([
      { id: 'TEST-0002', sources: ['app.log', 'endless.log'] },
      { id: 'TEST-0001', sources: ['app.log', 'endless.log'] },
    ])
    expectNothingLeft()
  })

  it('can be interrupted on several threads', async () => {
    writeSparse('large.log', LARGE)
    writeSparse('endless.log', ENDLESS)
    const run = start(['-l', 'debug', '--threads', '2', '-o', 'report.json', 'large.log', 'endless.log'])
    await run.printed('source read source=large.log')
    run.kill('SIGINT')
    expect((await run.ended).status).toBe(130)
    expect(run.out).toContain('\nReading large.log done! [41.9 MB ')
    expect(run.out).not.toContain('TB')
    expect(reportFile()).toEqual([
      { id: 'TEST-0002', sources: ['large.log'] },
      { id: 'TEST-0001', sources: ['large.log'] },
    ])
    expectNothingLeft()
  })

  it.each(['1', '2'])('of compressed data can be interrupted (threads: %s)', async (threads) => {
    writeEndlessGzip('endless.gz')
    const run = start(['-l', 'debug', '--threads', threads, '-o', 'report.json', 'app.log', 'endless.gz'])
    await run.printed('source read source=app.log')
    run.kill('SIGTERM')
    expect((await run.ended).status).toBe(143)
    expect(reportFile().map(({ sources }) => sources[0])).toEqual(['app.log', 'app.log'])
    expectNothingLeft()
  })
})

it('a report to a named pipe without a reader can be interrupted', async () => {
  execFileSync('mkfifo', [folder.path('report.pipe')])
  const run = start(['-o', 'report.pipe', 'app.log'])
  await run.printed('TEST-0001 medium')
  run.kill('SIGINT')
  const { status, err } = await run.ended
  expect(status).toBe(130)
  expect(err).toMatch(/^Output error: \S*report\.pipe: interrupted before it was read\n$/)
})

describe('a webhook that never responds', () => {
  async function startNotifying() {
    const receiver = await startReceiver('no response')
    folder.write('config/config.yaml', `notification: {type: webhook, webhook: "http://127.0.0.1:${receiver.port}/"}\n`)
    const run = start(['-o', 'report.json', 'app.log'])
    await run.during(receiver.arrival)
    folder.remove('config/config.yaml')
    return { run, receiver }
  }

  it('delays the end only for a moment, and the report is written', async () => {
    const { run, receiver } = await startNotifying()
    run.kill('SIGINT')
    const { status, out, err } = await run.ended
    expect(status).toBe(130)
    expect(out).toMatch(/\nWrote report to report\.json\n$/)
    expect(err).toMatch(/^Network error: notification to webhook at \S+ failed: it did not respond in time\n$/)
    expect(reportFile()).toHaveLength(2)
    expect(receiver.requests).toHaveLength(1)
    expectNothingLeft()
    await receiver.close()
  })

  it('does not delay the end after a second signal', async () => {
    const { run, receiver } = await startNotifying()
    run.kill('SIGINT')
    // Another signal, because the system merges two pending signals that are the same.
    run.kill('SIGTERM')
    const { status, err } = await run.ended
    expect([130, 143]).toContain(status)
    expect(err).toBe('')
    expect(reportFile()).toHaveLength(2)
    await receiver.close()
  })
})
