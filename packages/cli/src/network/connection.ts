import { setMaxListeners } from 'node:events'
import type { Dispatcher } from 'undici'

/** Names the proxies: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, also in lower case, which wins. */
export type Environment = Readonly<Record<string, string | undefined>>

/** One request of a connection. No redirect is followed. */
export interface NetworkRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the request, whatever it is waiting for. */
  readonly signal: AbortSignal
}

export interface NetworkAnswer {
  readonly status: number
  /** A header of the answer; the first where it was sent several times. */
  header(name: string): string | undefined
  readonly body: AsyncIterable<Uint8Array>
}

/** The way to the network. */
export interface Connection {
  /** Rejects where there is no answer; `explainNetworkError` says why. */
  request(request: NetworkRequest): Promise<NetworkAnswer>
  /** Lets go of everything at once, be it over or not. */
  close(): void
}

/**
 * Opens the way to the network, by the proxies that the environment names.
 *
 * @example
 * const connection = await openConnection(process.env)
 * try { await connection.request({ url, method: 'GET', headers: {}, signal }) } finally { connection.close() }
 */
export async function openConnection(environment: Environment): Promise<Connection> {
  const { EnvHttpProxyAgent, request: send } = await import('undici')
  // undici lets go of a connection that is still being made only after a timeout of its own, for which the process would
  // wait: this signal reaches the sockets themselves.
  const over = new AbortController()
  // Every socket listens to it, and Node.js warns of more than ten.
  setMaxListeners(0, over.signal)
  const sockets = { signal: over.signal, timeout: 0 }
  let dispatcher: InstanceType<typeof EnvHttpProxyAgent> | undefined
  // Made with the first request: a proxy that is no address is told as what keeps that request from being made.
  const agent = () => {
    dispatcher ??= new EnvHttpProxyAgent({
      httpProxy: proxyNamed('http_proxy', environment),
      httpsProxy: proxyNamed('https_proxy', environment),
      noProxy: environment.no_proxy ?? environment.NO_PROXY ?? '',
      // Plain HTTP is handed to the proxy as such: most refuse to tunnel it.
      proxyTunnel: false,
      connect: sockets,
      proxyTls: sockets,
      requestTls: sockets,
    })
    return dispatcher
  }
  return {
    async request({ url, method, headers, body, signal }) {
      const options = { method, headers, signal, dispatcher: agent(), ...(body !== undefined && { body }) }
      return answerOf(await unlessAborted(send(url, options), signal))
    },
    close() {
      over.abort()
      void dispatcher?.destroy()
    },
  }
}

function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData): NetworkAnswer {
  return { status: statusCode, header: (name) => [headers[name]].flat()[0], body }
}

/** A proxy may be named without `http://`, as other tools allow. Empty means none, and keeps undici from looking itself. */
function proxyNamed(name: string, environment: Environment): string {
  const value = environment[name] ?? environment[name.toUpperCase()] ?? ''
  if (value === '' || value.includes('://')) return value
  return `http://${value}`
}

/**
 * What the work gives, or the reason of the signal, whichever comes first.
 *
 * @example
 * await unlessAborted(readAll(answer.body), deadline.signal)
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = () => {}
  const leaving = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
  })
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave)
  try {
    return await Promise.race([work, leaving])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
