import { type Environment, openConnection, unlessAborted } from '../../../network/connection.js'

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
 * Makes the function that posts over the network, by way of the proxies that the environment names.
 *
 * @example
 * const post = createPost(process.env)
 */
export function createPost(environment: Environment): Post {
  return async (given) => {
    const connection = await openConnection(environment)
    const posting = async (): Promise<PostAnswer> => {
      const answer = await connection.request({ ...given, method: 'POST' })
      return {
        status: answer.status,
        retryAfter: answer.header('retry-after'),
        text: await readStart(answer.body),
      }
    }
    try {
      return await unlessAborted(posting(), given.signal)
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
    if (size >= ANSWER_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, ANSWER_BYTES).toString()
}
