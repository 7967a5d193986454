/** A request that posts JSON. */
export interface PostRequest {
  readonly url: URL
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Ends the request, whatever it is waiting for. */
  readonly signal: AbortSignal
}

export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The start of what was answered, decoded. */
  readonly text: string
}

/** Posts once, and follows no redirect. Rejects where there is no answer. */
export type Post = (request: PostRequest) => Promise<PostAnswer>

/** Enough of an answer to see what it complains of; a server that sends more is not listened to. */
const ANSWER_BYTES = 4096

/**
 * Makes the function that posts over the network, by way of the proxies that the environment names: `HTTPS_PROXY`,
 * `HTTP_PROXY` and `NO_PROXY`, also in lower case, which wins.
 *
 * @example
 * const post = createPost(process.env)
 */
export function createPost(environment: Readonly<Record<string, string | undefined>>): Post {
  return async ({ url, body, headers, signal }) => {
    const { EnvHttpProxyAgent, request } = await import('undici')
    // undici lets go of a connection that is still being made only after a timeout of its own, for which the process would
    // wait: this signal reaches the sockets themselves.
    const over = new AbortController()
    const sockets = { signal: over.signal, timeout: 0 }
    const dispatcher = new EnvHttpProxyAgent({
      httpProxy: proxyNamed('http_proxy', environment),
      httpsProxy: proxyNamed('https_proxy', environment),
      noProxy: environment.no_proxy ?? environment.NO_PROXY ?? '',
      // Plain HTTP is handed to the proxy as such: most refuse to tunnel it.
      proxyTunnel: false,
      connect: sockets,
      proxyTls: sockets,
      requestTls: sockets,
    })
    const posting = async (): Promise<PostAnswer> => {
      const answer = await request(url, { method: 'POST', body, headers, dispatcher, signal })
      const retryAfter = answer.headers['retry-after']
      return { status: answer.statusCode, retryAfter: [retryAfter].flat()[0], text: await readStart(answer.body) }
    }
    try {
      return await Promise.race([posting(), aborted(signal)])
    } finally {
      over.abort()
      void dispatcher.destroy()
    }
  }
}

/** A proxy may be named without `http://`, as other tools allow. Empty means none, and keeps undici from looking itself. */
function proxyNamed(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const value = environment[name] ?? environment[name.toUpperCase()] ?? ''
  if (value === '' || value.includes('://')) return value
  return `http://${value}`
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part)
    size += part.length
    if (size >= ANSWER_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, ANSWER_BYTES).toString()
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
