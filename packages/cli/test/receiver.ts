import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What a receiver does with a request: respond, break the connection, or never respond. */
export type Answer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'reset'
  | 'silence'

export interface Receiver {
  readonly port: number
  /** In the order in which they came. */
  readonly requests: readonly ReceivedRequest[]
  /** Resolves when the first request has come. */
  readonly arrival: Promise<void>
  close(): Promise<void>
}

/** A webhook on this machine. It sends the given responses one after the other, and repeats the last one. */
export async function startReceiver(...answers: readonly Answer[]): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let arrived = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: await text(request) })
    arrived()
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? { status: 200, body: 'ok' }
    if (answer === 'silence') return
    if (answer === 'reset') request.socket.resetAndDestroy()
    else response.writeHead(answer.status, answer.headers).end(answer.body ?? '')
  })
  return { requests, arrival, ...(await listen(server)) }
}

/** Starts any server on a free port of this machine. To close it ends its connections, too. */
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
