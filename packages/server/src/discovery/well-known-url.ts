/** The two names of a published configuration: OpenID Connect Discovery 1.0 and RFC 8414. */
const WELL_KNOWN = /^(.*)\/\.well-known\/(?:openid-configuration|oauth-authorization-server)(\/.*)?$/

const SUFFIX = '/.well-known/openid-configuration'

/**
 * The issuer whose configuration stands at a well-known URL, without a slash at its end; nothing for another URL. The name
 * stands at the end of the issuer (OpenID Connect Discovery, section 4; Okta's custom servers for RFC 8414 too) or between its
 * host and its path (RFC 8414, section 3).
 *
 * @example
 * issuerOf(new URL('https://idp.acme.com/realms/a/.well-known/openid-configuration'))       // 'https://idp.acme.com/realms/a'
 * issuerOf(new URL('https://idp.acme.com/.well-known/oauth-authorization-server/realms/a')) // 'https://idp.acme.com/realms/a'
 */
export function issuerOf(url: URL): string | undefined {
  const match = WELL_KNOWN.exec(url.pathname)
  if (match === null) return undefined
  const before = match[1] ?? ''
  const after = withoutSlash(match[2] ?? '')
  return before !== '' && after !== '' ? undefined : withoutSlash(`${url.origin}${before}${after}`)
}

/** Where the configuration of an issuer stands. */
export function wellKnownUrlOf(issuer: string): string {
  return `${withoutSlash(issuer)}${SUFFIX}`
}

/**
 * Whether a published issuer is the one that its URL belongs to. A slash at the end is the issuer's own affair (Auth0 has one),
 * as are the case of the host and the default port: the URL does not show them.
 */
export function isSameIssuer(published: URL, expected: string): boolean {
  return withoutSlash(published.href) === expected
}

function withoutSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text
}
