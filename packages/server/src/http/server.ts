import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.js'
import { BODY_LIMIT, PACKAGE_LIMIT } from './body.js'
import { problemBody } from './errors/problem-response.js'
import { PROBLEM_TYPE } from './schemas/problem.js'

/** Time and size limits of a connection: a client that sends a byte now and then is disconnected. */
const LIMITS = {
  /** The address and the headers together; the default of Node.js. */
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** The whole request with its body: even a slow connection sends 64 KiB in this time. */
  requestTimeout: 30_000,
  /** Longer than the 60 s of common load balancers, which would otherwise use a connection that is being closed. */
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2_000,
} as const

/** A connection without traffic, because the client does not read or the response does not come, is closed after this time. */
const IDLE_MS = 120_000

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

/** The options of Fastify for its server, and for a connection whose request cannot be parsed. */
export interface Http {
  readonly serverFactory: (handler: RequestListener) => Server
  readonly clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => void
}

/**
 * Makes an HTTP server that limits slow, large and malformed requests, and answers each with a problem.
 *
 * @example
 * const app = Fastify({ ...createHttp({ headers, docsUrl }) })
 */
export function createHttp({ headers, docsUrl, limits = {} }: HttpOptions): Http {
  const responses = new WeakMap<Socket, ServerResponse[]>()

  const serverFactory = (handler: RequestListener): Server => {
    const tracked: RequestListener = (request, response) => {
      const onSocket = responses.get(request.socket)
      if (onSocket === undefined) responses.set(request.socket, [response])
      else {
        // Responses are sent in order, so the finished ones are first.
        while (onSocket[0]?.closed) onSocket.shift()
        onSocket.push(response)
      }
      handler(request, response)
    }
    return createLimitedServer(tracked, limits)
  }

  const clientErrorHandler: Http['clientErrorHandler'] = (error, socket) => {
    // The responses to complete requests come first: a client that pipelines would take this one for theirs.
    const pending = responses.get(socket)?.findLast(({ closed, req }) => !closed && req.complete)
    if (pending === undefined) reject(error, socket, headers, docsUrl)
    else pending.once('close', () => reject(error, socket, headers, docsUrl))
  }

  return { serverFactory, clientErrorHandler }
}

function createLimitedServer(handler: RequestListener, limits: ServerLimits): Server {
  // The app rejects a request without Host with a problem.
  const server = createServer({ ...LIMITS, ...limits, requireHostHeader: false }, handler)
  server.maxHeadersCount = MAX_HEADERS
  server.maxConnections = MAX_CONNECTIONS
  server.setTimeout(IDLE_MS)
  server.on('checkContinue', (request, response) => {
    // A client that announces a body that is too large need not send it.
    const limit = request.method === 'PUT' ? PACKAGE_LIMIT : BODY_LIMIT
    if (Number(request.headers['content-length'] ?? 0) <= limit) response.writeContinue()
    else response.setHeader('connection', 'close')
    handler(request, response)
  })
  // RFC 9110 allows to ignore other expectations; Node.js would respond without a body.
  server.on('checkExpectation', handler)
  return server
}

interface Rejection {
  readonly line: string
  readonly status: number
  readonly detail: string
}

/** The responses to requests that Node.js cannot parse. */
const REJECTIONS: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    status: 431,
    detail: `The address and the headers together have more than ${LIMITS.maxHeaderSize} bytes.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    status: 408,
    detail: 'The request took too long to arrive. Send it again.',
  },
}

const NOT_HTTP: Rejection = {
  line: '400 Bad Request',
  status: 400,
  detail: 'This is not an HTTP request. Check the address, and whether it is http or https.',
}

/** Sends a problem on a connection whose request cannot be parsed, and closes the connection. */
function reject(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
  docsUrl: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { line, status, detail } = REJECTIONS[error.code ?? ''] ?? NOT_HTTP
  const body = JSON.stringify({ ...problemBody(new Problem('bad_request', detail), docsUrl), status })
  const head = Object.entries({
    ...headers,
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${line}\r\n${head.join('')}\r\n${body}`, () => socket.destroy())
}

/** Longer than requests take, and below the 30 s that Kubernetes waits. */
const DEADLINE_MS = 25_000

/**
 * Shuts a server down: `/readyz` fails, no connection is accepted, requests in flight finish, and those that are not done at the
 * deadline are cut off; `cutOff` says whether there were any. A second call waits for the first.
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
