/**
 * A URL fit for the screen: its scheme and host. The rest, which in a webhook is the secret, and a name and password are
 * left out.
 *
 * @example
 * maskUrl('https://hooks.slack.com/services/T000/B000/x') // 'https://hooks.slack.com/…'
 */
export function maskUrl(url: string): string {
  if (!URL.canParse(url)) return '…'
  const { protocol, host, pathname, search, hash } = new URL(url)
  const isWhole = pathname === '/' && search === '' && hash === ''
  return `${protocol}//${host}${isWhole ? '' : '/…'}`
}

/** A URL without the name and password that it may hold. */
export function maskPassword(url: string): string {
  if (!URL.canParse(url)) return '…'
  const { username, password } = new URL(url)
  return username === '' && password === '' ? url : url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1…@')
}
