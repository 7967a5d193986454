import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { orderByTime, orderPieces } from './order.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-order-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SETTINGS = { timestamps: [], skip: 50, now: new Date('2026-06-01T00:00:00Z') }

type Contents = Readonly<Record<string, string | Uint8Array>>

function files(contents: Contents, timestamp?: { regex: string; format: string }) {
  return Object.entries(contents).map(([name, text]) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return { path, size: statSync(path).size, timestamp }
  })
}

async function order(contents: Contents, settings = SETTINGS): Promise<string[]> {
  return (await orderByTime(files(contents), settings)).map(({ path }) => basename(path))
}

const line = (day: number, text = 'started') => `2026-03-${String(day).padStart(2, '0')}T12:00:00Z ${text}\n`

it('sorts files by their first timestamp', async () => {
  const contents = { a: line(3), b: line(1) + line(9), c: line(2) }
  expect(await order(contents)).toEqual(['b', 'c', 'a'])
})

it('puts files without a timestamp last, sorted by name', async () => {
  const contents = { 'x.10': 'no time\n', a: line(2), 'x.9': 'none\n', empty: '', b: line(1) }
  expect(await order(contents)).toEqual(['b', 'a', 'empty', 'x.9', 'x.10'])
})

it('sorts files with the same timestamp by name', async () => {
  expect(await order({ 'app.10': line(1), 'app.9': line(1), 'app.1': line(1) })).toEqual(['app.1', 'app.9', 'app.10'])
})

it('reads compressed files and other encodings', async () => {
  const contents = {
    plain: line(3),
    packed: gzipSync(line(1) + line(20).repeat(100_000)),
    windows: Buffer.from(`\ufeff${line(2)}`, 'utf16le'),
  }
  expect(await order(contents)).toEqual(['packed', 'windows', 'plain'])
})

it('compares timestamps of different formats', async () => {
  const contents = {
    syslog: 'Mar  2 12:00:00 host app: started\n',
    json: '{"ts":"2026-03-01T12:00:00Z","msg":"started"}\n',
    nginx: '1.2.3.4 - - [03/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1\n',
    klog: 'I0304 12:00:00.000000       1 main.go:1] started\n',
  }
  expect(await order(contents)).toEqual(['json', 'syslog', 'nginx', 'klog'])
})

it('finds a timestamp after lines without one', async () => {
  const banner = 'a banner\n'.repeat(20)
  expect(await order({ a: line(2), b: banner + line(1).repeat(30) })).toEqual(['b', 'a'])
})

it('finds a timestamp after a very long line', async () => {
  expect(await order({ a: line(2), b: `${'x'.repeat(100_000)}\n${line(1).repeat(30)}` })).toEqual(['b', 'a'])
})

it('uses the timestamp formats of the source and of the settings', async () => {
  const contents = { a: 'at 2026/03/02 12h of host\n', b: 'at 2026/03/01 12h of host\n' }
  const own = { regex: '^at (\\S+ \\d+)h', format: '2006/01/02 15' }
  const names = async (result: ReturnType<typeof orderByTime>) => (await result).map(({ path }) => basename(path))
  expect(await names(orderByTime(files(contents, own), SETTINGS))).toEqual(['b', 'a'])
  const timestamps = [{ pattern: own.regex, format: own.format }]
  expect(await order(contents, { ...SETTINGS, timestamps: timestamps as never })).toEqual(['b', 'a'])
})

it('sorts unreadable files by name', async () => {
  const [a, b] = files({ a: line(2), b: line(1) })
  const gone = { ...a, path: join(folder, 'gone') }
  const cut = files({ cut: gzipSync(line(1)).subarray(0, 12) })[0]
  expect(await orderByTime([gone, a, cut, b], SETTINGS)).toEqual([b, a, cut, gone])
})

it('never opens a pipe, or a single file', async () => {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const pipe = { path, size: undefined, timestamp: undefined }
  const [a] = files({ a: line(1) })
  expect(await orderByTime([pipe, a], SETTINGS)).toEqual([a, pipe])
  const gone = { path: join(folder, 'gone'), size: 1, timestamp: undefined }
  expect(await orderByTime([gone], SETTINGS)).toEqual([gone])
})

it('sorts thousands of files', async () => {
  const contents = Object.fromEntries(
    Array.from({ length: 2000 }, (_, i) => [
      `f${i}`,
      `2026-03-01T00:00:00.${String((i * 7919) % 2000).padStart(4, '0')}Z x\n`,
    ]),
  )
  const ordered = await order(contents)
  const times = ordered.map((name) => contents[name])
  expect(times).toEqual(times.toSorted())
})

describe('the pieces of a rotated log', () => {
  const orderOf = async (contents: Contents) =>
    (await orderPieces(files(contents), SETTINGS)).map(({ path }) => basename(path))

  it('are in the order of their times, whatever their names', async () => {
    const contents = { 'app.log': line(9), 'app.log.1': line(2), 'app.log.2': line(3), 'app-20260301.log': line(1) }
    expect(await orderOf(contents)).toEqual(['app-20260301.log', 'app.log.1', 'app.log.2', 'app.log'])
  })

  it('are in the order of their names if they start at the same time', async () => {
    const contents = { 'app.log': line(1), 'app.log.9': line(1), 'app.log.10.gz': gzipSync(line(1)) }
    expect(await orderOf(contents)).toEqual(['app.log.10.gz', 'app.log.9', 'app.log'])
  })

  it('are in the order of their names if one of them has no times', async () => {
    const contents = { 'app.log': line(1), 'app.log.1': 'no time\n', 'app.log.2': line(3), 'app.log.10': line(2) }
    expect(await orderOf(contents)).toEqual(['app.log.10', 'app.log.2', 'app.log.1', 'app.log'])
  })

  it('may be empty', async () => {
    expect(await orderOf({ 'app.log': '', 'app.log.1': line(2), 'app.log.2': line(3) })).toEqual([
      'app.log.1',
      'app.log.2',
      'app.log',
    ])
  })
})
