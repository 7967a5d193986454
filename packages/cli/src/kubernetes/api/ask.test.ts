import { afterEach, describe, expect, it } from 'vitest'
import { askDirectly } from '../../../test/cluster/asking.js'
import { pod } from '../../../test/cluster/objects.js'
import { type Answer, startCluster } from '../../../test/cluster/server.js'
import { HungUp } from './api.js'
import { askForJson } from './ask.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Asks for a pod at a server that answers so the first times. */
async function ask(answer: Answer, times: number) {
  const cluster = await startCluster({ objects: [pod('web')] })
  const { asking, waits, close } = askDirectly(cluster)
  closing.push(close, cluster.close)
  let asked = 0
  cluster.interfere(() => (asked++ < times ? answer : undefined))
  return { answer: askForJson(asking, '/api/v1/namespaces/default/pods/web'), waits }
}

describe('an object is asked for again', () => {
  it.each<[string, Answer]>([
    ['before the answer', 'break'],
    ['in the middle of it', { beginning: '{"kind": "Pod", "meta' }],
  ])('when the connection ends %s', async (_, end) => {
    const { answer, waits } = await ask(end, 2)
    expect(await answer).toMatchObject({ kind: 'Pod', metadata: { name: 'web' } })
    expect(waits).toEqual([500, 1000])
  })

  it('five times, then it is given up', async () => {
    const { answer, waits } = await ask({ beginning: '{' }, Number.POSITIVE_INFINITY)
    await expect(answer).rejects.toBeInstanceOf(HungUp)
    expect(waits).toHaveLength(4)
  })
})
