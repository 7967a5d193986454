/**
 * A URL that is safe to show: only the scheme and the host. The rest of a webhook is a secret, and so are a user name and
 * password.
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

/** A URL without its user name and password. */
export function maskPassword(url: string): string {
  if (!URL.canParse(url)) return '…'
  const { username, password } = new URL(url)
  return username === '' && password === '' ? url : url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1…@')
}
