import { pathTo } from '../routes.js'
import { EVERYTHING, type Query } from './search.js'

/** The severities, the most severe first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const

/**
 * Reads the search in a URL. Invalid values are ignored.
 *
 * @example
 * readQuery('?q=kafka&severity=critical,high') // { text: 'kafka', severities: ['critical', 'high'], … }
 */
export function readQuery(search: string): Query {
  const fields = new URLSearchParams(search)
  const severities = (fields.get('severity') ?? '').split(',')
  const origin = fields.get('package')
  return {
    text: fields.get('q') ?? EVERYTHING.text,
    severities: SEVERITIES.filter((severity) => severities.includes(severity)),
    category: fields.get('category') ?? EVERYTHING.category,
    tag: fields.get('tag') ?? EVERYTHING.tag,
    origin: origin === 'community' || origin === 'private' ? origin : EVERYTHING.origin,
  }
}

/**
 * The URL of a search, without the filters that are not set.
 *
 * @example
 * queryAddress({ ...EVERYTHING, text: 'kafka' }) // '/rules?q=kafka'
 */
export function queryAddress({ text, severities, category, tag, origin }: Query): string {
  const fields = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(severities.length > 0 && { severity: severities.join(',') }),
    ...(category !== '' && { category }),
    ...(tag !== '' && { tag }),
    ...(origin !== '' && { package: origin }),
  })
  // A comma is allowed in a query, and easier to read.
  const query = fields.toString().replaceAll('%2C', ',')
  return query === '' ? '/rules' : `/rules?${query}`
}

let last = pathTo('rules')

/** Remembers the URL of the latest search, for the link back from a rule. */
export function rememberSearch(address: string): void {
  last = address
}

/** The URL of the latest search in this tab, or of all rules. */
export function lastSearch(): string {
  return last
}
