/**
 * The Authorization header for a service: the token, or else the name and password in its URL. Secrets are sent over TLS or to
 * this machine only; for any other URL there is no header.
 *
 * @example
 * authorizationFor(new URL('https://omen.example.com'), 'omen_5Kd…') // { authorization: 'Bearer omen_5Kd…' }
 */
export function authorizationFor(url: URL, token: string | undefined): Readonly<Record<string, string>> {
  if (!isPrivate(url)) return {}
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (url.username === '' && url.password === '') return {}
  const credentials = `${decode(url.username)}:${decode(url.password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** Whether nobody between this machine and the host can read what is sent. */
export function isPrivate(url: URL): boolean {
  return url.protocol === 'https:' || isLoopback(url)
}

/**
 * Whether a URL names this machine.
 *
 * @example
 * isLoopback(new URL('http://127.0.0.1:8080')) // true
 */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
