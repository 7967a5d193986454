import { pathTo } from '../routes.js'
import { EVERYTHING, type Query } from './search.js'

/** The severities, the worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const

/**
 * The search that an address stands for. Whatever it cannot mean is left out.
 *
 * @example
 * readQuery('?q=kafka&severity=critical,high') // { words: 'kafka', severities: ['critical', 'high'], … }
 */
export function readQuery(search: string): Query {
  const fields = new URLSearchParams(search)
  const severities = (fields.get('severity') ?? '').split(',')
  const origin = fields.get('package')
  return {
    words: fields.get('q') ?? EVERYTHING.words,
    severities: SEVERITIES.filter((severity) => severities.includes(severity)),
    category: fields.get('category') ?? EVERYTHING.category,
    tag: fields.get('tag') ?? EVERYTHING.tag,
    origin: origin === 'community' || origin === 'private' ? origin : EVERYTHING.origin,
  }
}

/**
 * The address of a search: what is not asked for does not stand in it.
 *
 * @example
 * queryAddress({ ...EVERYTHING, words: 'kafka' }) // '/rules?q=kafka'
 */
export function queryAddress({ words, severities, category, tag, origin }: Query): string {
  const fields = new URLSearchParams({
    ...(words !== '' && { q: words }),
    ...(severities.length > 0 && { severity: severities.join(',') }),
    ...(category !== '' && { category }),
    ...(tag !== '' && { tag }),
    ...(origin !== '' && { package: origin }),
  })
  // A comma between severities reads better as it is.
  const text = fields.toString().replaceAll('%2C', ',')
  return text === '' ? '/rules' : `/rules?${text}`
}

let last = pathTo('rules')

/** Keeps the address of the latest search, which the way back from a rule leads to. */
export function rememberSearch(address: string): void {
  last = address
}

/** The address of the latest search in this tab; of all rules where there was none. */
export function lastSearch(): string {
  return last
}
