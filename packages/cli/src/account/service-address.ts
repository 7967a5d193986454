import { Failure } from '../failure.js'

/**
 * Reads the address of a service as a user types it: perhaps without `https://`, perhaps with slashes at the end.
 *
 * @example
 * readServiceUrl('omen.example.com').href // 'https://omen.example.com/'
 */
export function readServiceUrl(given: string): URL {
  const text = given.includes('://') ? given : `https://${given}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new Failure('Usage', 'the address of a service looks like https://omen.example.com')
  }
  url.hash = ''
  url.search = ''
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** The address in the form of `config.yaml`. */
export function addressOf(url: URL): string {
  return url.href.replace(/\/+$/, '')
}

/**
 * Identifies a service: its address without user name and password, which may be shown. Tokens are sent only to the service with
 * the same identity.
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
