import { createHttpApi } from '../../src/kubernetes/api/over-http.js'
import type { ApiDeps } from '../../src/kubernetes/api/requests.js'
import type { Cluster } from './server.js'

/** Connects to the simulated API server without kubectl, and logs pauses instead of waiting. */
export function connectDirectly(cluster: Pick<Cluster, 'port'>, maxConnections = 10) {
  const waits: number[] = []
  const closing = new AbortController()
  const api = createHttpApi({
    transport: 'test',
    isSecure: false,
    maxConnections,
    options: () => ({ host: '127.0.0.1', port: cluster.port }),
    close: async () => {},
  })
  const deps: ApiDeps = {
    api,
    signal: closing.signal,
    async wait(milliseconds) {
      waits.push(milliseconds)
    },
  }
  return {
    deps,
    waits,
    async close() {
      closing.abort()
      await api.close()
    },
  }
}
