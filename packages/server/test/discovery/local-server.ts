import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Identity } from './certificates.js'

/** A request that a server received. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The server name of the TLS handshake. */
  readonly servername: string | undefined
}

export interface LocalServer extends AsyncDisposable {
  readonly port: number
  readonly requests: readonly ReceivedRequest[]
  /** The number of connections, including failed ones. */
  readonly connections: number
}

export type Handler = (request: ReceivedRequest, response: ServerResponse) => void

/**
 * Starts a server on 127.0.0.1 that records its requests. It is disposable.
 *
 * @example
 * await using server = await startServer((_, response) => response.end('{}'))
 */
export async function startServer(handler: Handler, identity?: Identity): Promise<LocalServer> {
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const { servername } = request.socket as { readonly servername?: string }
    const received = { method, url, headers, body: Buffer.concat(chunks).toString(), servername }
    requests.push(received)
    handler(received, response)
  }
  const server = identity === undefined ? createHttpServer(listener) : createHttpsServer(identity, listener)
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    get connections() {
      return connections
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
