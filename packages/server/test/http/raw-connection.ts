import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'

export interface RawConnection {
  readonly socket: Socket
  /** Resolves with everything that was received, once it contains the text. */
  until(text: string): Promise<string>
  /** Resolves with everything that was received, once the server has closed the connection. */
  end(): Promise<string>
}

/** Listens on a free port. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** A connection on which a test can write malformed requests. */
export function openConnection(port: number): RawConnection {
  let received = ''
  let closed = false
  let look = () => {}
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    look()
  })
  // The server resets a connection on which more was sent than it reads.
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
    look()
  })
  const when = (isDone: () => boolean) =>
    new Promise<string>((resolve, reject) => {
      look = () => {
        if (isDone()) resolve(received)
        else if (closed) reject(new Error(`closed after ${JSON.stringify(received)}`))
      }
      look()
    })
  return { socket, until: (text) => when(() => received.includes(text)), end: () => when(() => closed) }
}
