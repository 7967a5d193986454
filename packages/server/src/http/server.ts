import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.js'
import { BODY_LIMIT, PACKAGE_LIMIT } from './body.js'
import { problemBody } from './errors/problem-response.js'
import { PROBLEM_TYPE } from './schemas/problem.js'

/** How long a connection may take, and how much it may hold. A client that sends a byte now and then is cut off. */
const LIMITS = {
  /** Node's own default, made explicit: address and headers together. */
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** The whole request, body included: 64 KiB take no longer on the slowest line. */
  requestTimeout: 30_000,
  /** Longer than the 60 s of common load balancers, which otherwise send into a connection that is being closed. */
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2_000,
} as const

/** A connection on which nothing moves, because nobody reads the answer or because it does not come, is cut off after this long. */
const SILENCE_MS = 120_000

const MAX_HEADERS = 100

/** About 20 KB each. */
const MAX_CONNECTIONS = 10_000

export type ServerLimits = { readonly [K in keyof typeof LIMITS]?: number }

export interface HttpOptions {
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>
  readonly docsUrl: string
  readonly limits?: ServerLimits
}

/** What Fastify needs to listen: the server with its limits, and what to do with a connection on which no request can be read. */
export interface Http {
  readonly serverFactory: (handler: RequestListener) => Server
  readonly clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => void
}

/**
 * The HTTP side of the server: limits against slow, large and broken requests, each told as a problem.
 *
 * @example
 * const app = Fastify({ ...createHttp({ headers, docsUrl }) })
 */
export function createHttp({ headers, docsUrl, limits = {} }: HttpOptions): Http {
  const responses = new WeakMap<Socket, ServerResponse[]>()

  const serverFactory = (handler: RequestListener): Server => {
    const followed: RequestListener = (request, response) => {
      const onSocket = responses.get(request.socket)
      if (onSocket === undefined) responses.set(request.socket, [response])
      else {
        // They are answered in their order, so those that are over stand at the front: nearly always one, the last.
        while (onSocket[0]?.closed) onSocket.shift()
        onSocket.push(response)
      }
      handler(request, response)
    }
    return createLimitedServer(followed, limits)
  }

  const clientErrorHandler: Http['clientErrorHandler'] = (error, socket) => {
    // Answers to requests that did arrive go first: whoever pipelines would take this one for theirs.
    const owed = responses.get(socket)?.findLast(({ closed, req }) => !closed && req.complete)
    if (owed === undefined) refuse(error, socket, headers, docsUrl)
    else owed.once('close', () => refuse(error, socket, headers, docsUrl))
  }

  return { serverFactory, clientErrorHandler }
}

function createLimitedServer(handler: RequestListener, limits: ServerLimits): Server {
  // A request without Host is refused by the app, in its own words.
  const server = createServer({ ...LIMITS, ...limits, requireHostHeader: false }, handler)
  server.maxHeadersCount = MAX_HEADERS
  server.maxConnections = MAX_CONNECTIONS
  server.setTimeout(SILENCE_MS)
  server.on('checkContinue', (request, response) => {
    // Who asks before sending too much is spared the sending.
    const limit = request.method === 'PUT' ? PACKAGE_LIMIT : BODY_LIMIT
    if (Number(request.headers['content-length'] ?? 0) <= limit) response.writeContinue()
    else response.setHeader('connection', 'close')
    handler(request, response)
  })
  // Other expectations may be ignored, says RFC 9110; Node would answer without a body.
  server.on('checkExpectation', handler)
  return server
}

interface Refusal {
  readonly line: string
  readonly status: number
  readonly detail: string
}

/** What is told about a request that Node could not read. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    status: 431,
    detail: `The address and the headers have more than ${LIMITS.maxHeaderSize} bytes.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    status: 408,
    detail: 'The request took too long to arrive. Send it again.',
  },
}

const NOT_HTTP: Refusal = {
  line: '400 Bad Request',
  status: 400,
  detail: 'This is not an HTTP request. Is the address right, and http or https?',
}

/** Answers on a connection on which no request could be read: with a problem too, and the end of the connection. */
function refuse(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
  docsUrl: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { line, status, detail } = REFUSALS[error.code ?? ''] ?? NOT_HTTP
  const body = JSON.stringify({ ...problemBody(new Problem('bad_request', detail), docsUrl), status })
  const head = Object.entries({
    ...headers,
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${line}\r\n${head.join('')}\r\n${body}`, () => socket.destroy())
}

/** As long as a request may take at most, so that none is cut off without need; below the 30 s that Kubernetes waits. */
const DEADLINE_MS = 25_000

/**
 * Ends a server in peace: `/readyz` says no, no connection is accepted any more, requests in flight finish, and what is not done
 * at the deadline is cut off. Says whether that was needed. A second call waits for the first.
 *
 * @example
 * process.once('SIGTERM', async () => {
 *   await shutDown(app)
 *   await database.close()
 * })
 */
export async function shutDown(
  app: FastifyInstance,
  { deadlineMs = DEADLINE_MS }: { readonly deadlineMs?: number } = {},
): Promise<{ readonly cutOff: boolean }> {
  let cutOff = false
  app.life.draining = true
  const timer = setTimeout(() => {
    cutOff = true
    app.server.closeAllConnections()
  }, deadlineMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
  return { cutOff }
}
