import type { Agent, IncomingMessage, RequestOptions } from 'node:http'
import type { Readable } from 'node:stream'
import { type Api, HungUp, readRefusal, Unreachable } from './api.js'

/** Where an API server listens, and what every request carries. */
export interface HttpWay {
  readonly way: string
  /** The host and port, or the path of a socket; certificates; and so on. Asked for with every request. */
  options(): RequestOptions
  readonly isSecure: boolean
  /** So many connections are open at once, no more. */
  readonly most: number
  close(): Promise<void>
  /** What else is known about why there is no answer. */
  explain?(): string | undefined
}

/**
 * An answer must begin within this time. Whoever signs in through a browser for the first request needs a while; a log begins
 * at once.
 */
const LONGEST_SILENCE_MS = 120_000

/** Makes an API of requests over HTTP. */
export function createHttpApi(way: HttpWay): Api {
  const { Agent, request } = way.isSecure
    ? process.getBuiltinModule('node:https')
    : process.getBuiltinModule('node:http')
  const agent: Agent = new Agent({ keepAlive: true, maxSockets: way.most, maxFreeSockets: way.most })

  function ask(path: string, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { headers, ...options } = way.options()
      const accept = { accept: 'application/json, */*', ...headers }
      const asked = request({ ...options, agent, path, method: 'GET', headers: accept }, resolve)
      // Not by the option of that name: it would throw where an answer is there that nobody reads.
      const stop = () => asked.destroy()
      signal.addEventListener('abort', stop, { once: true })
      asked.once('close', () => signal.removeEventListener('abort', stop))
      if (signal.aborted) stop()
      asked.setTimeout(LONGEST_SILENCE_MS, () => asked.destroy(new Error('i/o timeout')))
      asked.on('error', reject)
      asked.end()
    })
  }

  return {
    way: way.way,
    async get(path, signal): Promise<Readable> {
      let answer: IncomingMessage
      try {
        answer = await ask(path, signal)
      } catch (error) {
        if (signal.aborted) throw error
        const { code, message } = error as NodeJS.ErrnoException
        const Kind = code === 'ECONNRESET' ? HungUp : Unreachable
        throw new Kind(way.explain?.() ?? message, { cause: error })
      }
      // From here on it is the reader's: a log that is followed may be silent for days.
      answer.socket.setTimeout(0)
      answer.on('error', () => {})
      if (answer.statusCode === 200) return answer
      const refusal = await readRefusal(answer.statusCode ?? 0, answer, answer.headers['retry-after'])
      if (!(refusal instanceof Unreachable)) throw refusal
      const Kind = refusal instanceof HungUp ? HungUp : Unreachable
      throw new Kind([refusal.message, way.explain?.()].join('\n'))
    },
    async close() {
      agent.destroy()
      await way.close()
    },
  }
}
