import { setMaxListeners } from 'node:events'
import type { Dispatcher } from 'undici'
import { Failure } from '../failure.js'

/** Names the proxies: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. The same name in lower case takes precedence. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Redirects are not followed. */
export interface NetworkRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the request in any state. */
  readonly signal: AbortSignal
}

export interface NetworkResponse {
  readonly status: number
  /** The value of a header; the first one if the header was sent several times. */
  header(name: string): string | undefined
  readonly body: AsyncIterable<Uint8Array>
}

export interface Connection {
  /** Rejects if there is no response; `explainNetworkError` says why. */
  request(request: NetworkRequest): Promise<NetworkResponse>
  /** Closes all sockets at once, also those in use. */
  close(): void
}

/**
 * Prepares HTTP requests through the proxies that the environment names.
 *
 * @example
 * const connection = await openConnection(process.env)
 * try { await connection.request({ url, method: 'GET', headers: {}, signal }) } finally { connection.close() }
 */
export async function openConnection(environment: Environment): Promise<Connection> {
  const { EnvHttpProxyAgent, request: send } = await import('undici')
  // undici ends a connection attempt only after its own timeout, which would keep the process alive: this signal reaches the
  // sockets directly.
  const closing = new AbortController()
  // Every socket listens to it, and Node.js warns about more than ten listeners.
  setMaxListeners(0, closing.signal)
  const sockets = { signal: closing.signal, timeout: 0 }
  let dispatcher: InstanceType<typeof EnvHttpProxyAgent> | undefined
  // Created with the first request: an invalid proxy address then fails that request.
  const agent = () => {
    dispatcher ??= new EnvHttpProxyAgent({
      httpProxy: proxyNamed('http_proxy', environment),
      httpsProxy: proxyNamed('https_proxy', environment),
      noProxy: environment.no_proxy ?? environment.NO_PROXY ?? '',
      // Most proxies refuse to tunnel plain HTTP.
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
      return toResponse(await unlessAborted(send(url, options), signal))
    },
    close() {
      closing.abort()
      void dispatcher?.destroy()
    },
  }
}

function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData): NetworkResponse {
  return { status: statusCode, header: (name) => [headers[name]].flat()[0], body }
}

/** A proxy may be named without `http://`. The empty string means none, and keeps undici from reading the environment. */
function proxyNamed(name: string, environment: Environment): string {
  const value = environment[name] ?? environment[name.toUpperCase()] ?? ''
  if (value === '' || value.includes('://')) return value
  return `http://${value}`
}

/**
 * Resolves like `work`, or rejects with the signal's reason as soon as that is aborted.
 *
 * @example
 * await unlessAborted(readAll(response.body, host, 65_536), deadline.signal)
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
  })
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Reads a whole body. Rejects with a `Failure` that starts with `name` if the body has more than `limit` bytes.
 *
 * @example
 * JSON.parse((await readAll(response.body, 'omen.example.com', 64 * 1024)).toString())
 */
export async function readAll(body: AsyncIterable<Uint8Array>, name: string, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw new Failure('Network', `${name}: the response is longer than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** The time limits of one request. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Data arrived: the idle time starts again. */
  refresh(): void
  stop(): void
}

/**
 * Starts the time limits of a request: the signal aborts after `total` milliseconds, after `idle` milliseconds without
 * `refresh`, or when `outer` aborts.
 *
 * @example
 * const deadline = startDeadline({ total: 120_000, idle: 15_000 })
 * try { for await (const chunk of body) deadline.refresh() } finally { deadline.stop() }
 */
export function startDeadline(
  { total, idle }: { readonly total: number; readonly idle: number },
  outer?: AbortSignal,
): Deadline {
  const controller = new AbortController()
  const timeOut = () => controller.abort(Object.assign(new Error('timed out'), { name: 'TimeoutError' }))
  const abort = () => controller.abort(outer?.reason)
  const totalTimer = setTimeout(timeOut, total)
  const idleTimer = setTimeout(timeOut, idle)
  if (outer?.aborted) abort()
  else outer?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    refresh: () => void idleTimer.refresh(),
    stop() {
      outer?.removeEventListener('abort', abort)
      clearTimeout(totalTimer)
      clearTimeout(idleTimer)
    },
  }
}
