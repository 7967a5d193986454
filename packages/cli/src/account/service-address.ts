import { Failure } from '../failure.js'

/**
 * Reads the address of a service as people type it: without `https://`, with slashes at its end.
 *
 * @example
 * readServiceUrl('omen.example.com').href // 'https://omen.example.com/'
 */
export function readServiceUrl(given: string): URL {
  const text = given.includes('://') ? given : `https://${given}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new Failure('Usage', 'the address of a service is like https://omen.example.com')
  }
  url.hash = ''
  url.search = ''
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** An address as it is written into `config.yaml`. */
export function addressOf(url: URL): string {
  return url.href.replace(/\/+$/, '')
}

/**
 * What tells services apart, and what may be shown: the address without a name and password. Tokens go to the service with the
 * very same one.
 *
 * @example
 * identityOf(new URL('https://me:pass@omen.example.com/')) // 'https://omen.example.com'
 */
export function identityOf(url: URL): string {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  bare.search = ''
  bare.hash = ''
  return addressOf(bare)
}
