import { createServer } from 'node:net'
import { Failure } from '../failure.js'
import type { Settings } from '../settings/settings.js'

type Place = Pick<Settings, 'host' | 'port'>

const REASONS: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `another program listens on port ${port} of ${host}: stop it, or choose another port with --port`,
  EACCES: ({ port }) => `this user may not listen on port ${port}: choose one above 1023 with --port`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is not an address of this machine: choose one with --host, such as 0.0.0.0 for all`,
  ENOTFOUND: ({ host }) => `there is no host ${host}: choose an address with --host, such as 0.0.0.0 for all`,
  EAI_AGAIN: ({ host }) =>
    `the host ${host} cannot be looked up: choose an address with --host, such as 0.0.0.0 for all`,
  EAFNOSUPPORT: ({ host }) => `this machine does not speak the protocol of ${host}: choose another address with --host`,
}

/**
 * What kept a server from listening, in words.
 *
 * @example
 * await app.listen({ host, port }).catch((error) => { throw listenFailure(error, { host, port }) })
 */
export function listenFailure(error: unknown, place: Place): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Failure('Start', REASONS[code]?.(place) ?? `cannot listen on ${place.host}: ${message}`, { cause: error })
}

/**
 * A port that is free at the moment. The addresses of the service are part of what it answers, so the port must be known before
 * it listens; whoever takes it in between makes `listen` fail, and another is looked for.
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
