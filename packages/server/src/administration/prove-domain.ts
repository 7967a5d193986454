import { quote } from '@omen/engine/messages'
import { Problem } from '../problem.js'
import type { ResolveTxt } from './resolve-txt.js'

/** Beside it stand records of others: those of mail, of search engines. */
const LABEL = '_omen'

/** More is nobody's domain, but somebody's game. */
const MOST_RECORDS = 100
const LONGEST_RECORD = 1_000
const MOST_SHOWN = 3

/** The record that proves a domain. */
export interface DomainRecord {
  readonly type: 'TXT'
  readonly name: string
  readonly value: string
}

/**
 * The record that is to stand in the DNS of a domain.
 *
 * @example
 * recordOf('acme.org', '3f0c…') // { type: 'TXT', name: '_omen.acme.org', value: 'omen-domain=3f0c…' }
 */
export function recordOf(domain: string, proof: string): DomainRecord {
  return { type: 'TXT', name: `${LABEL}.${domain}`, value: `omen-domain=${proof}` }
}

/** What an error of the DNS means. A name that does not exist is told like one without records. */
const FAILURES: Readonly<Record<string, string | undefined>> = {
  ENOTFOUND: undefined,
  ENODATA: undefined,
  ETIMEOUT: 'its name servers do not answer',
  ESERVFAIL: 'its name servers answer with an error (SERVFAIL)',
  EREFUSED: 'its name servers refuse to answer (REFUSED)',
  ECONNREFUSED: 'the DNS cannot be reached from here',
  EBADRESP: 'the answer of its name servers cannot be read',
  EBADNAME: 'it is no name that can be looked up',
}

/** Looks whether a record stands in the DNS. Rejects with a `Problem` that names what was found and what was expected. */
export async function proveRecord(resolveTxt: ResolveTxt, record: DomainRecord): Promise<void> {
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
    return records.slice(0, MOST_RECORDS).map(textOf)
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code)
    const failure = code in FAILURES ? FAILURES[code] : `the DNS answers with ${code}`
    if (failure === undefined) return []
    throw unverified(`${record.name} cannot be looked up: ${failure}`, record)
  }
}

/** A record comes in pieces of 255 bytes. Some forms for records keep the quotes that somebody types. */
function textOf(pieces: readonly string[]): string {
  let text = ''
  for (const piece of pieces) {
    if (text.length >= LONGEST_RECORD) break
    text += piece.slice(0, LONGEST_RECORD)
  }
  return text
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .trim()
}

function unverified(found: string, { name, value }: DomainRecord): Problem {
  return new Problem(
    'domain_unverified',
    `${found}. Expected is a TXT record at ${name} with the value ${value}. New records take minutes, sometimes an hour: try again.`,
  )
}
