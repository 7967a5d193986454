import { Resolver } from 'node:dns/promises'

/** Looks up the TXT records of a name, each in its pieces, as `resolveTxt` of Node.js does. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>

export interface TxtResolverOptions {
  /** Addresses of name servers; those of the system without it. */
  readonly servers?: readonly string[]
  readonly timeoutMs?: number
}

/** All tries together. A page waits for the answer, and most name servers need a tenth of a second. */
const TIMEOUT_MS = 5_000

/** A datagram gets lost now and then: the first try has half of the time. */
const TRIES = 2

/**
 * Makes the way to the DNS. A lookup that takes too long is given up, and rejects with the code `ETIMEOUT`. An answer has 64 KiB
 * at most, by the protocol.
 *
 * @example
 * const resolveTxt = createTxtResolver()
 * await resolveTxt('_omen.acme.org') // [['omen-domain=3f0c…']]
 */
export function createTxtResolver({ servers, timeoutMs = TIMEOUT_MS }: TxtResolverOptions = {}): ResolveTxt {
  return async (name) => {
    // One for each lookup: to cancel one is to cancel all of a resolver.
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / TRIES), tries: TRIES })
    if (servers) resolver.setServers(servers)
    let isLate = false
    const deadline = setTimeout(() => {
      isLate = true
      resolver.cancel()
    }, timeoutMs)
    try {
      return await resolver.resolveTxt(name)
    } catch (error) {
      throw isLate ? Object.assign(new Error('the DNS does not answer', { cause: error }), { code: 'ETIMEOUT' }) : error
    } finally {
      clearTimeout(deadline)
    }
  }
}
