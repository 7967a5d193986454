import { afterEach, describe, expect, it } from 'vitest'
import { connectDirectly } from '../../test/cluster/deps.js'
import { pod } from '../../test/cluster/objects.js'
import { type ContainerLog, type LogLine, startCluster } from '../../test/cluster/server.js'
import { followLog } from './follow-log.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const KEY = 'default/web/app'
const CONTAINER = { namespace: 'default', pod: 'web', container: 'app', uid: 'u', previous: false }
const OPTIONS = {
  since: undefined,
  until: undefined,
  tail: undefined,
  reading: { now: new Date('2026-03-01T12:00:00Z'), skip: 50, timestamps: [] },
}

const line = (second: number, text = `line ${second}`): LogLine => ({
  at: `2026-03-01T12:00:${String(second).padStart(2, '0')}.000000001Z`,
  text,
})

async function start(log: ContainerLog) {
  const cluster = await startCluster({ objects: [pod('web')], logs: { [KEY]: log } })
  const { deps, waits, close } = connectDirectly(cluster)
  const data = followLog(deps, CONTAINER, OPTIONS)
  closing.push(async () => data.close(), close, cluster.close)
  const buffer = new Uint8Array(1 << 16)
  let text = ''
  return {
    cluster,
    waits,
    data,
    /** Reads until a string has arrived; the end of the log is a failure. */
    async until(wanted: string): Promise<string> {
      while (!text.includes(wanted)) {
        const count = await data.read(buffer)
        if (count === 0) throw new Error(`it ended without ${wanted}: ${text}`)
        text += Buffer.from(buffer.subarray(0, count)).toString()
      }
      return text
    },
    async toEnd(): Promise<string> {
      for (let count = await data.read(buffer); count > 0; count = await data.read(buffer)) {
        text += Buffer.from(buffer.subarray(0, count)).toString()
      }
      return text
    },
  }
}

const texts = (log: string) =>
  log
    .trimEnd()
    .split('\n')
    .map((text) => text.slice(text.indexOf(' ') + 1))

describe('a followed log', () => {
  it('contains existing and new lines', async () => {
    const { cluster, until } = await start({ lines: [line(1)] })
    await until('line 1')
    await cluster.followed(KEY)
    cluster.addLines(KEY, line(2))
    expect(texts(await until('line 2'))).toEqual(['line 1', 'line 2'])
  })

  it('continues after its connection broke in the middle of a line, without repeating one', async () => {
    const lines = [line(1), line(1, 'of the same moment'), line(2)]
    const { until, waits } = await start({ lines, breaksAfter: 75, breaksTimes: 2 })
    expect(texts(await until('line 2'))).toEqual(['line 1', 'of the same moment', 'line 2'])
    expect(waits.length).toBeGreaterThan(0)
  })

  it('continues after a restart, with the rest of the previous log first', async () => {
    const { cluster, until } = await start({ lines: [line(1)] })
    await until('line 1')
    await cluster.followed(KEY)
    cluster.setLog(`${KEY}/previous`, { lines: [line(1), line(2, 'its last line')] })
    cluster.setLog(KEY, { lines: [line(3)] })
    cluster.put(pod('web', { containers: [{ restarts: 1 }] }))
    cluster.endLog(KEY)
    expect(texts(await until('line 3'))).toEqual(['line 1', 'its last line', 'line 3'])
  })

  it('contains the last run of a container that is restarted before its log is requested', async () => {
    const logs = { [`${KEY}/previous`]: { lines: [line(1, 'its last line')] }, [KEY]: { lines: [line(2)] } }
    const cluster = await startCluster({ objects: [pod('web', { containers: [{ restarts: 4 }] })], logs })
    const { deps, close } = connectDirectly(cluster)
    // It was in CrashLoopBackOff when its pod was listed.
    const data = followLog(deps, { ...CONTAINER, restarts: 3 }, OPTIONS)
    closing.push(async () => data.close(), close, cluster.close)
    const buffer = new Uint8Array(1 << 16)
    let text = ''
    while (!text.includes('line 2')) text += Buffer.from(buffer.subarray(0, await data.read(buffer))).toString()
    expect(texts(text)).toEqual(['its last line', 'line 2'])
  })

  it('waits for a container that has not started', async () => {
    const { cluster, until, waits } = await start({ lines: [line(1)] })
    cluster.put(pod('web', { containers: [{ waiting: 'ContainerCreating' }] }))
    let looks = 0
    cluster.interfere(({ path }) => {
      if (path.endsWith('/log') && ++looks === 4) cluster.put(pod('web'))
      return undefined
    })
    expect(texts(await until('line 1'))).toEqual(['line 1'])
    expect(waits.length).toBeGreaterThan(1)
  })

  it('ends when its pod has ended or is deleted', async () => {
    const over = await start({ lines: [line(1)] })
    await over.until('line 1')
    await over.cluster.followed(KEY)
    over.cluster.put(pod('web', { phase: 'Succeeded' }))
    over.cluster.endLog(KEY)
    expect(texts(await over.toEnd())).toEqual(['line 1'])
    const gone = await start({ lines: [line(1)] })
    await gone.until('line 1')
    await gone.cluster.followed(KEY)
    gone.cluster.remove('Pod', 'web')
    gone.cluster.endLog(KEY)
    expect(texts(await gone.toEnd())).toEqual(['line 1'])
  })

  it('ends when it is closed, in any state', async () => {
    const { cluster, data, until, toEnd } = await start({ lines: [line(1)] })
    await until('line 1')
    await cluster.followed(KEY)
    const end = toEnd()
    await data.close()
    expect(texts(await end)).toEqual(['line 1'])
  })

  it('keeps the timestamps of its lines', async () => {
    const lines = [line(1, '2026-03-01 11:59:59 own time'), line(2, '2026-03-01 12:00:00 own time')]
    const { until } = await start({ lines })
    expect(await until('12:00:00')).toBe('2026-03-01 11:59:59 own time\n2026-03-01 12:00:00 own time\n')
  })
})
