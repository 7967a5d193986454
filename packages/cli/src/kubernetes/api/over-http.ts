import type { Agent, IncomingMessage, RequestOptions } from 'node:http'
import type { Readable } from 'node:stream'
import { type Api, ConnectionClosed, readErrorResponse, Unreachable } from './api.js'

/** The address of an API server, and the headers of every request. */
export interface HttpTransport {
  readonly transport: string
  /** Host and port or socket path, certificates and headers. Called for every request. */
  options(): RequestOptions
  readonly isSecure: boolean
  /** The maximum number of open connections. */
  readonly maxConnections: number
  close(): Promise<void>
  /** More about why there is no response. */
  explain?(): string | undefined
}

/** The time until the first byte of a response. The first request may wait for a user who signs in through a browser. */
const RESPONSE_TIMEOUT_MS = 120_000

/** Creates an API client over HTTP. */
export function createHttpApi(options: HttpTransport): Api {
  const { Agent, request } = options.isSecure
    ? process.getBuiltinModule('node:https')
    : process.getBuiltinModule('node:http')
  const agent: Agent = new Agent({
    keepAlive: true,
    maxSockets: options.maxConnections,
    maxFreeSockets: options.maxConnections,
  })

  function send(path: string, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { headers, ...address } = options.options()
      const accept = { accept: 'application/json, */*', ...headers }
      const sent = request({ ...address, agent, path, method: 'GET', headers: accept }, resolve)
      // Not with the option `signal`, which would throw in a response that nobody reads.
      const stop = () => sent.destroy()
      signal.addEventListener('abort', stop, { once: true })
      sent.once('close', () => signal.removeEventListener('abort', stop))
      if (signal.aborted) stop()
      sent.setTimeout(RESPONSE_TIMEOUT_MS, () => sent.destroy(new Error('i/o timeout')))
      sent.on('error', reject)
      sent.end()
    })
  }

  return {
    transport: options.transport,
    async get(path, signal): Promise<Readable> {
      let response: IncomingMessage
      try {
        response = await send(path, signal)
      } catch (error) {
        if (signal.aborted) throw error
        const { code, message } = error as NodeJS.ErrnoException
        const Kind = code === 'ECONNRESET' ? ConnectionClosed : Unreachable
        throw new Kind(options.explain?.() ?? message, { cause: error })
      }
      // From here on no limit: a followed log may be silent for days.
      response.socket.setTimeout(0)
      response.on('error', () => {})
      if (response.statusCode === 200) return response
      const failure = await readErrorResponse(response.statusCode ?? 0, response, response.headers['retry-after'])
      if (!(failure instanceof Unreachable)) throw failure
      const Kind = failure instanceof ConnectionClosed ? ConnectionClosed : Unreachable
      throw new Kind([failure.message, options.explain?.()].join('\n'))
    },
    async close() {
      agent.destroy()
      await options.close()
    },
  }
}
