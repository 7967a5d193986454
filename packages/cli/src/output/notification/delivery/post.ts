import { type Environment, openConnection, unlessAborted } from '../../../network/connection.js'

/** A request that posts JSON. */
export interface PostRequest {
  readonly url: URL
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Aborts the request at any point. */
  readonly signal: AbortSignal
}

export interface PostResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The beginning of the body, decoded. */
  readonly text: string
}

/** Posts once, and does not follow redirects. Rejects if there is no response. */
export type Post = (request: PostRequest) => Promise<PostResponse>

/** Enough of a response to read its error message; the rest is not read. */
const BODY_BYTES = 4096

/**
 * Returns the function that posts over the network, through the proxy that the environment configures.
 *
 * @example
 * const post = createPost(process.env)
 */
export function createPost(environment: Environment): Post {
  return async (request) => {
    const connection = await openConnection(environment)
    const posting = async (): Promise<PostResponse> => {
      const response = await connection.request({ ...request, method: 'POST' })
      return {
        status: response.status,
        retryAfter: response.header('retry-after'),
        text: await readStart(response.body),
      }
    }
    try {
      return await unlessAborted(posting(), request.signal)
    } finally {
      connection.close()
    }
  }
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part)
    size += part.length
    if (size >= BODY_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, BODY_BYTES).toString()
}
