import { afterEach, describe, expect, it } from 'vitest'
import { connectDirectly } from '../../test/cluster/deps.js'
import { pod } from '../../test/cluster/objects.js'
import {
  type ClusterResponse,
  type ContainerLog,
  type LogLine,
  startCluster,
  statusError,
} from '../../test/cluster/server.js'
import { Missing } from '../sources/origin.js'
import { explainLog } from './explain.js'
import { type LogOptions, openLog } from './read-log.js'
import { createTimestampReader, nanosecondsOf } from './timestamp.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const CONTAINER = { namespace: 'default', pod: 'web', container: 'app', uid: 'u', previous: false }
const ALL_LINES: LogOptions = {
  since: undefined,
  until: undefined,
  tail: undefined,
  reading: { now: new Date('2026-03-01T12:00:00Z'), skip: 50, timestamps: [] },
}

const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}.000000001Z`
const timeAt = (second: number) => {
  const stamp = createTimestampReader()
  stamp.read(Buffer.from(at(second)), 0, at(second).length)
  return nanosecondsOf(stamp)
}
const timeless = (...seconds: number[]): LogLine[] =>
  seconds.map((second) => ({ at: at(second), text: `line ${second}` }))

async function start(log: ContainerLog, came = () => {}) {
  const cluster = await startCluster({ objects: [pod('web')], logs: { 'default/web/app': log } })
  const { deps, close } = connectDirectly(cluster)
  closing.push(close, cluster.close)

  async function read(options: Partial<LogOptions> = {}): Promise<string> {
    const data = await openLog(deps, CONTAINER, { ...ALL_LINES, ...options }).catch((error) => {
      throw explainLog(error, CONTAINER)
    })
    const buffer = new Uint8Array(1000)
    let text = ''
    for (let count = await data.read(buffer); count > 0; count = await data.read(buffer)) {
      text += Buffer.from(buffer.subarray(0, count)).toString()
      came()
    }
    await data.close()
    return text
  }
  const fail = (options?: Partial<LogOptions>) =>
    read(options).then(
      () => expect.unreachable('it was read'),
      (error: Error) => error,
    )
  return { cluster, read, fail }
}

describe('a log with timestamps', () => {
  const lines = [1, 2, 3].map((second) => ({ at: at(second), text: `2026-03-01 12:00:0${second} line` }))

  it('is requested once, without the runtime’s timestamps', async () => {
    const { cluster, read } = await start({ lines })
    expect(await read()).toBe(lines.map(({ text }) => `${text}\n`).join(''))
    expect(cluster.requests.map(({ query }) => query.toString())).toEqual(['container=app'])
  })

  it('keeps its timestamps when lines are selected by those of the runtime', async () => {
    const { cluster, read } = await start({ lines })
    const limits = { since: timeAt(2), until: timeAt(2) }
    expect(await read(limits)).toBe('2026-03-01 12:00:02 line\n')
    expect(cluster.requests[0]?.query.get('sinceTime')).toBe('2026-03-01T12:00:02Z')
  })

  it('can be limited to its last lines', async () => {
    const { read } = await start({ lines })
    expect(await read({ tail: 1 })).toBe('2026-03-01 12:00:03 line\n')
    expect(await read({ tail: 0 })).toBe('')
  })
})

describe('a log without timestamps', () => {
  it('is requested with those of the runtime', async () => {
    const { read } = await start({ lines: timeless(1, 2) })
    expect(await read()).toBe(`${at(1)} line 1\n${at(2)} line 2\n`)
    expect(await read({ since: timeAt(2) })).toBe(`${at(2)} line 2\n`)
  })

  it('may be empty', async () => {
    const { cluster, read } = await start({ lines: [] })
    expect(await read()).toBe('')
    expect(cluster.requests).toHaveLength(1)
  })
})

it('a paused log returns the bytes before the pause, and continues after it', async () => {
  let resume = () => {}
  const resumed = new Promise<void>((resolve) => {
    resume = resolve
  })
  async function* bytes() {
    yield Buffer.from(`${at(1)} line 1\n`)
    await resumed
    yield Buffer.from(`${at(2)} line 2\n`)
  }
  const cluster = await startCluster({ objects: [pod('web')], logs: { 'default/web/app': { bytes } } })
  const { deps, close } = connectDirectly(cluster)
  closing.push(close, cluster.close)
  const data = await openLog(deps, CONTAINER, { ...ALL_LINES, since: 0n })
  const buffer = new Uint8Array(1000)
  const next = async () => Buffer.from(buffer.subarray(0, await data.read(buffer))).toString()
  expect(await next()).toBe(`${at(1)} line 1\n`)
  resume()
  expect(await next()).toBe(`${at(2)} line 2\n`)
  expect(await next()).toBe('')
  await data.close()
})

describe('a log that breaks off', () => {
  const lines = Array.from({ length: 500 }, (_, n) => ({
    at: at(n % 60),
    text: `2026-03-01 12:00:00 line ${n} of many`,
  }))
  const whole = lines.map(({ text }) => `${text}\n`).join('')

  /** Breaks the log off only after some of it was read, because bytes in transit may be lost when a connection ends. */
  async function startReading() {
    let resume = () => {}
    const isRead = new Promise<void>((resolve) => {
      resume = resolve
    })
    async function* bytes() {
      yield Buffer.from(whole.slice(0, 9000))
      await isRead
      yield Buffer.from(whole.slice(9000))
    }
    return start({ bytes, breaksAfter: 10_000, breaksTimes: 1 }, () => resume())
  }

  it('continues where it broke off', async () => {
    const { read } = await start({ lines, breaksAfter: 10_000, breaksTimes: 2 })
    expect(await read()).toBe(whole)
  })

  it('continues when the next connection breaks even earlier', async () => {
    const { cluster, read } = await startReading()
    let requests = 0
    cluster.interfere(({ path }) => {
      if (path.endsWith('/log') && ++requests === 2) {
        cluster.setLog('default/web/app', { lines, breaksAfter: 100, breaksTimes: 2 })
      }
      return undefined
    })
    expect(await read()).toBe(whole)
    expect(requests).toBe(3)
  })

  /** The connection is closed, or `kubectl proxy` reports that its connection was. */
  const ENDS: readonly (readonly [string, ClusterResponse])[] = [
    ['here', 'break'],
    ['through a proxy', { code: 500, text: 'EOF\n' }],
    [
      'through a proxy, at once',
      { code: 500, text: 'read tcp 127.0.0.1:2->127.0.0.1:1: read: connection reset by peer' },
    ],
  ]

  it.each(ENDS)('is requested again when the connection ends before the response: %s', async (_, end) => {
    const { cluster, read } = await start({ lines })
    let requests = 0
    cluster.interfere(({ path }) => (path.endsWith('/log') && requests++ < 2 ? end : undefined))
    expect(await read()).toBe(whole)
    expect(requests).toBe(3)
  })

  it.each(ENDS)('fails when there is never a response: %s', async (_, end) => {
    const { cluster, fail } = await start({ lines })
    cluster.interfere(() => end)
    expect(await fail()).toMatchObject({ kind: 'Data', message: 'the log broke off after 0 bytes' })
  })

  it('fails when it always breaks off, with the bytes before', async () => {
    const { fail } = await start({ lines, breaksAfter: 10_000 })
    expect((await fail()).message).toMatch(/^the log broke off after \d+ bytes$/)
  })

  it('is not continued when the log has changed', async () => {
    const { cluster, fail } = await startReading()
    let requests = 0
    cluster.interfere(({ path }) => {
      if (path.endsWith('/log') && requests++ === 1) return { text: whole.replaceAll('many', 'more') }
      return undefined
    })
    expect((await fail()).message).toMatch(/^the log broke off after [1-9]\d+ bytes$/)
  })

  it('ends when its pod was deleted', async () => {
    const { cluster, fail } = await start({ lines, breaksAfter: 10_000 })
    let requests = 0
    cluster.interfere(({ path }) => {
      if (path.endsWith('/log') && requests++ === 1) cluster.remove('Pod', 'web')
      return undefined
    })
    const error = await fail()
    expect(error).toBeInstanceOf(Missing)
    expect(error.message).toBe('the pod was deleted while its log was read; the part before was matched')
  })
})

describe('a missing log', () => {
  const REMOVED = 'its log no longer exists: the node has rotated it, or removed the container'
  it.each<[string, ContainerLog]>([
    [REMOVED, { bytes: () => [Buffer.from('unable to retrieve container logs for containerd://abc')] }],
    [REMOVED, { error: statusError(500, 'open /var/log/pods/x/app/0.log: no such file or directory') }],
    [
      'not started yet (PodInitializing), so it has no log',
      { error: statusError(400, 'container "app" in pod "web" is waiting to start: PodInitializing') },
    ],
    ['the pod was deleted before its log was read', { error: statusError(404, 'pods "web" not found') }],
    [
      'the container no longer exists: the pod was replaced',
      { error: statusError(400, 'container app is not valid for pod web') },
    ],
  ])('%s', async (message, log) => {
    const error = await (await start(log)).fail()
    expect(error).toBeInstanceOf(Missing)
    expect(error.message).toBe(message)
  })

  it('is a failure with a hint if permission is missing', async () => {
    const forbidden = statusError(
      403,
      'pods "web" is forbidden: User "jane" cannot get resource "pods/log" in API group ""',
    )
    const error = await (await start({ error: forbidden })).fail()
    expect(error).not.toBeInstanceOf(Missing)
    expect(error.message).toContain('no permission: jane may not get pods/log in the namespace default.')
    expect(error.message).toContain(
      'kubectl create role omen -n default --verb=get,list,watch --resource=pods,pods/log',
    )
  })
})
