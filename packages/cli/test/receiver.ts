import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The response to a request, or its absence: the connection is reset, or nothing is sent. */
export type ReceiverResponse =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'reset'
  | 'no response'

export interface Receiver {
  readonly port: number
  /** In the order of arrival. */
  readonly requests: readonly ReceivedRequest[]
  /** Resolves when the first request has arrived. */
  readonly arrival: Promise<void>
  close(): Promise<void>
}

/** A webhook on this machine. It sends the given responses one after the other, and repeats the last one. */
export async function startReceiver(...responses: readonly ReceiverResponse[]): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let arrived = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: await text(request) })
    arrived()
    const next = responses[Math.min(requests.length, responses.length) - 1] ?? { status: 200, body: 'ok' }
    if (next === 'no response') return
    if (next === 'reset') request.socket.resetAndDestroy()
    else response.writeHead(next.status, next.headers).end(next.body ?? '')
  })
  return { requests, arrival, ...(await listen(server)) }
}

/** Starts a server on a free port of this machine. `close` also ends its connections. */
export async function listen(server: Server): Promise<Pick<Receiver, 'port' | 'close'>> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closing = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closing
    },
  }
}
