import { afterEach, describe, expect, it } from 'vitest'
import { askDirectly } from '../../test/cluster/asking.js'
import { pod } from '../../test/cluster/objects.js'
import { type Answer, type ContainerLog, type LogLine, refuse, startCluster } from '../../test/cluster/server.js'
import { Missing } from '../sources/origin.js'
import { explainLog } from './explain-log.js'
import { type LogOptions, openLog } from './read-log.js'
import { createStampReader, nanosecondsOf } from './stamp.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const PLACE = { namespace: 'default', pod: 'web', container: 'app', uid: 'u', previous: false }
const WHOLE: LogOptions = {
  since: undefined,
  until: undefined,
  tail: undefined,
  reading: { now: new Date('2026-03-01T12:00:00Z'), skip: 50, timestamps: [] },
}

const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}.000000001Z`
const timeAt = (second: number) => {
  const stamp = createStampReader()
  stamp.read(Buffer.from(at(second)), 0, at(second).length)
  return nanosecondsOf(stamp)
}
const timeless = (...seconds: number[]): LogLine[] =>
  seconds.map((second) => ({ at: at(second), text: `line ${second}` }))

async function start(log: ContainerLog, came = () => {}) {
  const cluster = await startCluster({ objects: [pod('web')], logs: { 'default/web/app': log } })
  const { asking, close } = askDirectly(cluster)
  closing.push(close, cluster.close)

  async function read(options: Partial<LogOptions> = {}): Promise<string> {
    const data = await openLog(asking, PLACE, { ...WHOLE, ...options }).catch((error) => {
      throw explainLog(error, PLACE)
    })
    const room = new Uint8Array(1000)
    let text = ''
    for (let count = await data.read(room); count > 0; count = await data.read(room)) {
      text += Buffer.from(room.subarray(0, count)).toString()
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

describe('a log whose lines have times', () => {
  const lines = [1, 2, 3].map((second) => ({ at: at(second), text: `2026-03-01 12:00:0${second} line` }))

  it('is asked for once, as it is', async () => {
    const { cluster, read } = await start({ lines })
    expect(await read()).toBe(lines.map(({ text }) => `${text}\n`).join(''))
    expect(cluster.requests.map(({ query }) => query.toString())).toEqual(['container=app'])
  })

  it('keeps its own times when some of it is chosen by those of the runtime', async () => {
    const { cluster, read } = await start({ lines })
    const limits = { since: timeAt(2), until: timeAt(2) }
    expect(await read(limits)).toBe('2026-03-01 12:00:02 line\n')
    expect(cluster.requests[0]?.query.get('sinceTime')).toBe('2026-03-01T12:00:02Z')
  })

  it('is cut to its last lines', async () => {
    const { read } = await start({ lines })
    expect(await read({ tail: 1 })).toBe('2026-03-01 12:00:03 line\n')
    expect(await read({ tail: 0 })).toBe('')
  })
})

describe('a log whose lines have none', () => {
  it('comes with those of the runtime', async () => {
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

it('gives what has come of a log that gets stuck, and goes on when it does', async () => {
  let goOn = () => {}
  const stuck = new Promise<void>((resolve) => {
    goOn = resolve
  })
  async function* bytes() {
    yield Buffer.from(`${at(1)} line 1\n`)
    await stuck
    yield Buffer.from(`${at(2)} line 2\n`)
  }
  const cluster = await startCluster({ objects: [pod('web')], logs: { 'default/web/app': { bytes } } })
  const { asking, close } = askDirectly(cluster)
  closing.push(close, cluster.close)
  const data = await openLog(asking, PLACE, { ...WHOLE, since: 0n })
  const room = new Uint8Array(1000)
  const next = async () => Buffer.from(room.subarray(0, await data.read(room))).toString()
  expect(await next()).toBe(`${at(1)} line 1\n`)
  goOn()
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

  /** One that breaks off once some of it was read: what is on its way when a connection ends may come or not. */
  async function startReading() {
    let goOn = () => {}
    const isRead = new Promise<void>((resolve) => {
      goOn = resolve
    })
    async function* bytes() {
      yield Buffer.from(whole.slice(0, 9000))
      await isRead
      yield Buffer.from(whole.slice(9000))
    }
    return start({ bytes, breaksAfter: 10_000, breaksTimes: 1 }, () => goOn())
  }

  it('goes on where it broke off', async () => {
    const { read } = await start({ lines, breaksAfter: 10_000, breaksTimes: 2 })
    expect(await read()).toBe(whole)
  })

  it('goes on when the next connection breaks even earlier', async () => {
    const { cluster, read } = await startReading()
    let asked = 0
    cluster.interfere(({ path }) => {
      if (path.endsWith('/log') && ++asked === 2) {
        cluster.setLog('default/web/app', { lines, breaksAfter: 100, breaksTimes: 2 })
      }
      return undefined
    })
    expect(await read()).toBe(whole)
    expect(asked).toBe(3)
  })

  /** The connection is closed, or `kubectl proxy` says that the one behind it was. */
  const ENDS: readonly (readonly [string, Answer])[] = [
    ['here', 'break'],
    ['behind a proxy', { code: 500, text: 'EOF\n' }],
    [
      'behind a proxy, at once',
      { code: 500, text: 'read tcp 127.0.0.1:2->127.0.0.1:1: read: connection reset by peer' },
    ],
  ]

  it.each(ENDS)('is asked for again when the connection ends before it begins: %s', async (_, end) => {
    const { cluster, read } = await start({ lines })
    let asked = 0
    cluster.interfere(({ path }) => (path.endsWith('/log') && asked++ < 2 ? end : undefined))
    expect(await read()).toBe(whole)
    expect(asked).toBe(3)
  })

  it.each(ENDS)('is given up when it never begins: %s', async (_, end) => {
    const { cluster, fail } = await start({ lines })
    cluster.interfere(() => end)
    expect(await fail()).toMatchObject({ kind: 'Data', message: 'the log broke off after 0 bytes' })
  })

  it('is given up when it breaks off every time, with what came until then', async () => {
    const { fail } = await start({ lines, breaksAfter: 10_000 })
    expect((await fail()).message).toMatch(/^the log broke off after \d+ bytes$/)
  })

  it('is not gone on with when it is another one by now', async () => {
    const { cluster, fail } = await startReading()
    let asked = 0
    cluster.interfere(({ path }) => {
      if (path.endsWith('/log') && asked++ === 1) return { text: whole.replaceAll('many', 'more') }
      return undefined
    })
    expect((await fail()).message).toMatch(/^the log broke off after [1-9]\d+ bytes$/)
  })

  it('has ended when its pod was deleted meanwhile', async () => {
    const { cluster, fail } = await start({ lines, breaksAfter: 10_000 })
    let asked = 0
    cluster.interfere(({ path }) => {
      if (path.endsWith('/log') && asked++ === 1) cluster.remove('Pod', 'web')
      return undefined
    })
    const error = await fail()
    expect(error).toBeInstanceOf(Missing)
    expect(error.message).toBe('the pod was deleted while its log was read; what came until then was matched')
  })
})

describe('a log that there is none of', () => {
  const GONE = 'its log is gone: the node has rotated it away, or removed the container'
  it.each<[string, ContainerLog]>([
    [GONE, { bytes: () => [Buffer.from('unable to retrieve container logs for containerd://abc')] }],
    [GONE, { refusal: refuse(500, 'open /var/log/pods/x/app/0.log: no such file or directory') }],
    [
      'not started yet (PodInitializing): there is no log',
      { refusal: refuse(400, 'container "app" in pod "web" is waiting to start: PodInitializing') },
    ],
    ['the pod was deleted before its log was read', { refusal: refuse(404, 'pods "web" not found') }],
    ['the container is gone: the pod was replaced', { refusal: refuse(400, 'container app is not valid for pod web') }],
  ])('%s', async (message, log) => {
    const error = await (await start(log)).fail()
    expect(error).toBeInstanceOf(Missing)
    expect(error.message).toBe(message)
  })

  it('for lack of permission is a failure, with the way out', async () => {
    const refusal = refuse(403, 'pods "web" is forbidden: User "jane" cannot get resource "pods/log" in API group ""')
    const error = await (await start({ refusal })).fail()
    expect(error).not.toBeInstanceOf(Missing)
    expect(error.message).toContain('no permission: jane may not get pods/log in the namespace default.')
    expect(error.message).toContain(
      'kubectl create role omen -n default --verb=get,list,watch --resource=pods,pods/log',
    )
  })
})
