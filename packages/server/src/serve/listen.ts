import { createServer } from 'node:net'
import { Failure } from '../failure.js'
import type { Settings } from '../settings/settings.js'

type ListenAddress = Pick<Settings, 'host' | 'port'>

const REASONS: Readonly<Record<string, (address: ListenAddress) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `another program listens on port ${port} of ${host}: stop it, or choose another port with --port`,
  EACCES: ({ port }) => `this user may not listen on port ${port}: choose one above 1023 with --port`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is not an address of this machine: choose one with --host, such as 0.0.0.0 for all`,
  ENOTFOUND: ({ host }) => `there is no host ${host}: choose an address with --host, such as 0.0.0.0 for all`,
  EAI_AGAIN: ({ host }) =>
    `the host ${host} cannot be looked up: choose an address with --host, such as 0.0.0.0 for all`,
  EAFNOSUPPORT: ({ host }) =>
    `this machine does not support the protocol of ${host}: choose another address with --host`,
}

/**
 * The failure of a server that cannot listen.
 *
 * @example
 * await app.listen({ host, port }).catch((error) => { throw listenFailure(error, { host, port }) })
 */
export function listenFailure(error: unknown, address: ListenAddress): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Failure('Start', REASONS[code]?.(address) ?? `cannot listen on ${address.host}: ${message}`, {
    cause: error,
  })
}

/**
 * A port that is free at the moment. Responses contain the addresses of the service, so the port must be known before it listens.
 * If another program takes the port in between, `listen` fails and the caller tries another one.
 */
export function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => reject(listenFailure(error, { host, port: 0 })))
    server.listen({ host, port: 0 }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
