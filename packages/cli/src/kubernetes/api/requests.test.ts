import { afterEach, describe, expect, it } from 'vitest'
import { connectDirectly } from '../../../test/cluster/deps.js'
import { pod } from '../../../test/cluster/objects.js'
import { type ClusterResponse, startCluster } from '../../../test/cluster/server.js'
import { ConnectionClosed } from './api.js'
import { requestJson } from './requests.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Requests a pod from a server that first responds like this. */
async function send(response: ClusterResponse, times: number) {
  const cluster = await startCluster({ objects: [pod('web')] })
  const { deps, waits, close } = connectDirectly(cluster)
  closing.push(close, cluster.close)
  let requests = 0
  cluster.interfere(() => (requests++ < times ? response : undefined))
  return { response: requestJson(deps, '/api/v1/namespaces/default/pods/web'), waits }
}

describe('a request is repeated', () => {
  it.each<[string, ClusterResponse]>([
    ['before the response', 'break'],
    ['in the middle of it', { beginning: '{"kind": "Pod", "meta' }],
  ])('when the connection ends %s', async (_, end) => {
    const { response, waits } = await send(end, 2)
    expect(await response).toMatchObject({ kind: 'Pod', metadata: { name: 'web' } })
    expect(waits).toEqual([500, 1000])
  })

  it('five times, then it fails', async () => {
    const { response, waits } = await send({ beginning: '{' }, Number.POSITIVE_INFINITY)
    await expect(response).rejects.toBeInstanceOf(ConnectionClosed)
    expect(waits).toHaveLength(4)
  })
})
