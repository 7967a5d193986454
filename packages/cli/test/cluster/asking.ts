import type { Asking } from '../../src/kubernetes/api/ask.js'
import { createHttpApi } from '../../src/kubernetes/api/over-http.js'
import type { Cluster } from './server.js'

/** Asks the stand-in directly, without kubectl, and notes how long it would have waited instead of waiting. */
export function askDirectly(cluster: Pick<Cluster, 'port'>, most = 10) {
  const waits: number[] = []
  const closing = new AbortController()
  const api = createHttpApi({
    way: 'test',
    isSecure: false,
    most,
    options: () => ({ host: '127.0.0.1', port: cluster.port }),
    close: async () => {},
  })
  const asking: Asking = {
    api,
    signal: closing.signal,
    async wait(milliseconds) {
      waits.push(milliseconds)
    },
  }
  return {
    asking,
    waits,
    async close() {
      closing.abort()
      await api.close()
    },
  }
}
