import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What proxies and tracers send, and nothing that could be mistaken for anything else in a log. */
const SANE = /^[A-Za-z0-9._:+/=-]{1,100}$/

/** The id of a request: what the client or proxy calls it when that is sane, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID()
}
