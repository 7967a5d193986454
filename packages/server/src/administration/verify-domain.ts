import { Resolver } from 'node:dns/promises'
import { quote } from '@omen/engine/messages'
import { Problem } from '../problem.js'

/** A label for Omen only, so that it does not mix with the TXT records of mail and search engines. */
const LABEL = '_omen'

/** Limits for hostile responses. */
const MOST_RECORDS = 100
const LONGEST_RECORD = 1_000
const MOST_SHOWN = 3

/** The DNS record that verifies a domain. */
export interface DomainRecord {
  readonly type: 'TXT'
  readonly name: string
  readonly value: string
}

/**
 * The DNS record that verifies a domain.
 *
 * @example
 * recordOf('acme.org', '3f0c…') // { type: 'TXT', name: '_omen.acme.org', value: 'omen-domain=3f0c…' }
 */
export function recordOf(domain: string, challenge: string): DomainRecord {
  return { type: 'TXT', name: `${LABEL}.${domain}`, value: `omen-domain=${challenge}` }
}

/** The meaning of DNS errors. A name that does not exist is reported like a name without records. */
const FAILURES: Readonly<Record<string, string | undefined>> = {
  ENOTFOUND: undefined,
  ENODATA: undefined,
  ETIMEOUT: 'its name servers do not respond',
  ESERVFAIL: 'its name servers return an error (SERVFAIL)',
  EREFUSED: 'its name servers refuse the query (REFUSED)',
  ECONNREFUSED: 'the server cannot reach the DNS',
  EBADRESP: 'its name servers return an invalid response',
  EBADNAME: 'it is not a valid name',
}

/** Checks that a record is in the DNS. Rejects with a `Problem` that names what was found and what was expected. */
export async function verifyRecord(resolveTxt: ResolveTxt, record: DomainRecord): Promise<void> {
  const found = await lookUp(resolveTxt, record)
  if (found.includes(record.value)) return
  const shown = found.slice(0, MOST_SHOWN).map((value) => quote(value))
  const more = found.length > shown.length ? ` and ${found.length - shown.length} more` : ''
  throw unverified(
    shown.length === 0
      ? `There is no TXT record at ${record.name} yet`
      : `The TXT record at ${record.name} is ${shown.join(', ')}${more}`,
    record,
  )
}

async function lookUp(resolveTxt: ResolveTxt, record: DomainRecord): Promise<readonly string[]> {
  try {
    const records = await resolveTxt(record.name)
    return records.slice(0, MOST_RECORDS).map(recordValue)
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code)
    const failure = code in FAILURES ? FAILURES[code] : `the lookup failed with ${code}`
    if (failure === undefined) return []
    throw unverified(`${record.name} cannot be looked up: ${failure}`, record)
  }
}

/** A record comes in pieces of 255 bytes. Some DNS providers keep the quotes that a user types. */
function recordValue(pieces: readonly string[]): string {
  let value = ''
  for (const piece of pieces) {
    if (value.length >= LONGEST_RECORD) break
    value += piece.slice(0, LONGEST_RECORD)
  }
  return value
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .trim()
}

function unverified(found: string, { name, value }: DomainRecord): Problem {
  return new Problem(
    'domain_unverified',
    `${found}. Add a TXT record at ${name} with the value ${value}. New records can take up to an hour to appear: try again later.`,
  )
}

/** Looks up the TXT records of a name, each in pieces, as `resolveTxt` of Node.js does. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>

export interface TxtResolverOptions {
  /** Addresses of name servers. The default is those of the system. */
  readonly servers?: readonly string[]
  readonly timeoutMs?: number
}

/** For all tries together. A page waits for the result, and most name servers respond within a tenth of a second. */
const TIMEOUT_MS = 5_000

/** A datagram can get lost: the first try gets half of the time. */
const TRIES = 2

/**
 * Makes a resolver for TXT records. A lookup that takes too long rejects with the code `ETIMEOUT`. The protocol limits a
 * response to 64 KiB.
 *
 * @example
 * const resolveTxt = createTxtResolver()
 * await resolveTxt('_omen.acme.org') // [['omen-domain=3f0c…']]
 */
export function createTxtResolver({ servers, timeoutMs = TIMEOUT_MS }: TxtResolverOptions = {}): ResolveTxt {
  return async (name) => {
    // One resolver for each lookup, because `cancel` cancels all lookups of a resolver.
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
      throw isLate
        ? Object.assign(new Error('the DNS lookup timed out', { cause: error }), { code: 'ETIMEOUT' })
        : error
    } finally {
      clearTimeout(deadline)
    }
  }
}
