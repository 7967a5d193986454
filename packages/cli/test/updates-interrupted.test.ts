import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { program, useFolder } from './omen.js'
import {
  clearConfiguration,
  type KeyPair,
  makeKeys,
  makePackage,
  type Package,
  putInPlace,
  type ReleaseService,
  sha256,
  startService,
  trusting,
} from './release-service.js'
import { type Running, useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()

let keys: KeyPair
let service: ReleaseService
/** The installed package, and the offered one. */
let old: Package
let fresh: Package
beforeEach(async () => {
  keys = makeKeys()
  service = await startService(keys)
  clearConfiguration(folder.path('config'))
  folder.write('app.log', '2026-03-01T12:00:01Z disk full\n2026-03-01T12:00:02Z gremlins\n')
  folder.write('config/config.yaml', trusting(service.url, [keys]))
  old = await makePackage('91.4.0')
  fresh = await makePackage('91.5.0', { word: 'gremlins', random: 300_000 })
  putInPlace(folder.path('config'), old, keys)
  service.rules = fresh
})
afterEach(() => service.close())

const files = () => readdirSync(folder.path('config')).filter((name) => name !== 'config.yaml' && name !== 'cache')
const parts = () => files().filter((name) => name.includes('.part'))
const ranges = () => service.requests.filter(({ path }) => path.endsWith('.gz')).map(({ headers }) => headers.range)

function start(args: readonly string[]): Running {
  const run = processes.omen(args, { cwd: folder.path('.'), env: folder.environment() })
  run.endInput()
  return run
}

/** The time of the only hit shows which package the scan used. */
async function expectRunning(version: '91.4.0' | '91.5.0'): Promise<void> {
  const { status, out, err } = await start(['-q', '-o', '-', 'app.log']).ended
  expect({ status, err }).toEqual({ status: 0, err: '' })
  const time = version === '91.4.0' ? '2026-03-01T12:00:01Z' : '2026-03-01T12:00:02Z'
  expect(JSON.parse(out).map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([time])
}

/** Sends the first part of the package and keeps the response open; resolves with it. */
function sendBeginning(length: number, etag: string | undefined = `"${sha256(fresh.bytes)}"`): Promise<ServerResponse> {
  return new Promise((resolve) => {
    service.handle = (request, response) => {
      if (!request.url?.endsWith('.gz')) return false
      response.writeHead(200, { ...(etag !== undefined && { etag }), 'content-length': fresh.bytes.length })
      response.write(fresh.bytes.subarray(0, length), () => resolve(response))
      return true
    }
  })
}

/** Waits until a number of bytes of the package are on the disk. */
function waitForPart(run: Running, length: number): Promise<void> {
  const path = folder.path(`config/.${fresh.file}.part`)
  return run.until(() => existsSync(path) && readFileSync(path).length >= length)
}

describe('kill -9 in the middle of a download', () => {
  it('keeps the old package, and the next run continues the download', async () => {
    const sent = sendBeginning(100_000)
    const run = start(['updates', 'install'])
    await run.during(sent)
    await waitForPart(run, 100_000)
    run.kill('SIGKILL')
    expect((await run.ended).status).toBe('SIGKILL')
    await expectRunning('91.4.0')
    service.handle = undefined
    expect(await start(['updates', 'install', '-q']).ended).toEqual({ status: 0, out: '', err: '' })
    expect(ranges()).toEqual([undefined, 'bytes=100000-'])
    await expectRunning('91.5.0')
    expect(files().filter((name) => /part|lock|tmp/.test(name))).toEqual([])
  })

  it('starts again if the file of the service has changed', async () => {
    const sent = sendBeginning(100_000, '"another"')
    const run = start(['updates', 'install'])
    await run.during(sent)
    await waitForPart(run, 100_000)
    run.kill('SIGKILL')
    await run.ended
    service.handle = undefined
    expect((await start(['updates', 'install', '-q']).ended).status).toBe(0)
    expect(service.requests.filter(({ path }) => path.endsWith('.gz'))[1]?.headers['if-range']).toBe('"another"')
    await expectRunning('91.5.0')
  })

  it('starts again if the downloaded part is damaged', async () => {
    folder.write(`config/.${fresh.file}.part`, Buffer.alloc(50_000, 'x'))
    folder.write(`config/.${fresh.file}.part.etag`, `"${sha256(fresh.bytes)}"`)
    expect((await start(['updates', 'install', '-q']).ended).status).toBe(0)
    expect(ranges()).toEqual(['bytes=50000-', undefined])
    await expectRunning('91.5.0')
  })

  it('removes the downloaded part of another package', async () => {
    folder.write('config/.omen-public-cre-rules.91.4.5.aaaaaaaaaaaa.yaml.gz.part', 'left')
    folder.write('config/omen-public-cre-rules.91.4.5.aaaaaaaaaaaa.yaml.gz.sig', 'left')
    expect((await start(['updates', 'install', '-q']).ended).status).toBe(0)
    expect(files().filter((name) => name.includes('91.4.5'))).toEqual([])
  })
})

describe('a connection that breaks', () => {
  it('is opened again as long as each connection brings something', async () => {
    service.handle = (request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '0'))
      if (!request.url?.endsWith('.gz') || from >= 200_000) return false
      const { length } = fresh.bytes
      // `connection: close`, because the next request must not use a connection that is about to end.
      const head = { etag: `"${sha256(fresh.bytes)}"`, 'content-length': length - from, connection: 'close' }
      const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${length - 1}/${length}` }
      response.writeHead(from === 0 ? 200 : 206, { ...head, ...range })
      // Ended, not destroyed, so that all sent bytes arrive.
      response.write(fresh.bytes.subarray(from, from + 50_000), () => request.socket.end())
      return true
    }
    expect(await start(['updates', 'install', '-q']).ended).toEqual({ status: 0, out: '', err: '' })
    expect(ranges().length).toBeGreaterThan(1)
    await expectRunning('91.5.0')
  })

  it('for good is reported with the number of bytes, and the old package stays', async () => {
    const sent = sendBeginning(100_000)
    const run = start(['updates', 'install'])
    await run.during(sent)
    await waitForPart(run, 100_000)
    await service.close()
    const { status, err } = await run.ended
    expect(status).toBe(1)
    expect(err).toMatch(
      /^Network error: omen-public-cre-rules\.91\.5\.0\.\w+\.yaml\.gz: the connection was \w+ after 100\.0 kB of \d+\.\d kB\n$/,
    )
    await expectRunning('91.4.0')
    expect(parts()).toHaveLength(2)
  })
})

describe('Ctrl-C in the middle of a download', () => {
  it.each([
    ['omen updates install', ['updates', 'install']],
    ['a scan with -y', ['-y', '-o', '', 'app.log']],
  ])('ends %s without a message, and the next run continues the download', async (_, args) => {
    expect((await start(['updates', 'check']).ended).status).toBe(0)
    const sent = sendBeginning(100_000)
    const run = start(args)
    await run.during(sent)
    await waitForPart(run, 100_000)
    run.kill('SIGINT')
    expect(await run.ended).toMatchObject({ status: 130, err: '' })
    service.handle = undefined
    expect((await start(['updates', 'install', '-q']).ended).status).toBe(0)
    expect(ranges()).toEqual([undefined, 'bytes=100000-'])
  })
})

describe('two processes at once', () => {
  it('one installs, and the other continues with the installed rules', async () => {
    expect((await start(['updates', 'check']).ended).status).toBe(0)
    const sent = sendBeginning(100_000)
    const first = start(['updates', 'install', '-q'])
    const response = await first.during(sent)
    // Sends a byte now and then, because a download without new bytes is aborted.
    let length = 100_000
    const keepAlive = setInterval(() => response.write(fresh.bytes.subarray(length, ++length)), 1000).unref()
    const second = await start(['-y', '-o', '', 'app.log']).ended
    expect(second).toMatchObject({ status: 0, err: '' })
    expect(second.out).toContain('CRE-2026-90001 high [1 hits @ 2026-03-01T12:00:01Z]')
    const third = await start(['updates', 'install']).ended
    expect(third).toMatchObject({
      status: 1,
      err: `State error: updates are already being installed by process ${first.pid}: try again later\n`,
    })
    clearInterval(keepAlive)
    response.end(fresh.bytes.subarray(length))
    expect(await first.ended).toEqual({ status: 0, out: '', err: '' })
    await expectRunning('91.5.0')
  })

  it('ignore the lock of a dead process', async () => {
    const sent = sendBeginning(1000)
    const run = start(['updates', 'install'])
    await run.during(sent)
    run.kill('SIGKILL')
    await run.ended
    expect(existsSync(folder.path('config/updates.lock'))).toBe(true)
    service.handle = undefined
    expect(await start(['updates', 'install', '-q']).ended).toEqual({ status: 0, out: '', err: '' })
  })

  it('may both install the same package', async () => {
    const runs = Array.from({ length: 4 }, () => start(['-y', '-q', '-o', '', 'app.log']).ended)
    for (const end of await Promise.all(runs)) expect(end).toMatchObject({ status: 0, out: '' })
    expect((await start(['updates', 'install', '-q']).ended).status).toBe(0)
    await expectRunning('91.5.0')
    expect(files().filter((name) => /\.(part|etag|lock|tmp)$/.test(name))).toEqual([])
  })
})

describe('a full disk', () => {
  it('is reported, leaves no file, and the old package stays', async () => {
    mkdirSync(folder.path('disk'), { recursive: true })
    const script = `mount -t tmpfs -o size=128k tmpfs disk && mkdir disk/config && cp config/config.yaml config/omen-* disk/config || exit 99
      export OMEN_CONFIG_DIR=disk/config
      "$0" "$1" updates install; echo "exit $?"
      find disk -type f -name '.*' -o -name '*91.5.0*'
      "$0" "$1" -q -y -o - app.log`
    const flags = process.getuid?.() === 0 ? '-m' : '-rm'
    const run = processes.start('unshare', [flags, 'sh', '-c', script, process.execPath, program], {
      cwd: folder.path('.'),
      env: folder.environment(),
    })
    const { status, out, err } = await run.ended
    expect(status, `A disk cannot be mounted here: run as root, or allow user namespaces. ${err}`).toBe(0)
    expect(err).toMatch(
      /^Output error: \S+91\.5\.0\.\w+\.yaml\.gz\.part: the disk is full; free some space, or choose another folder\n$/,
    )
    expect(out).toMatch(/^exit 1\n(disk\/config\/\.ruletoken\n)?\[/)
    expect(JSON.parse(out.slice(out.indexOf('[')))[0].timestamp).toBe('2026-03-01T12:00:01Z')
  })
})

describe('a run that was killed between two renames', () => {
  it('may leave a signature without its package', async () => {
    folder.write(`config/${fresh.file}.sha256`, 'x')
    folder.write(`config/${fresh.file}.sig`, 'x')
    await expectRunning('91.4.0')
    expect((await start(['updates', 'install', '-q']).ended).status).toBe(0)
    await expectRunning('91.5.0')
  })

  it('may leave a complete package, which is not downloaded again', async () => {
    folder.write(`config/.${fresh.file}.part`, fresh.bytes)
    folder.write(`config/.${fresh.file}.part.etag`, `"${sha256(fresh.bytes)}"`)
    expect((await start(['updates', 'install', '-q']).ended).status).toBe(0)
    expect(ranges()).toEqual([])
    await expectRunning('91.5.0')
  })
})
