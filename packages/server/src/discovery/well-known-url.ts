/** The two names of a published configuration: OpenID Connect Discovery 1.0 and RFC 8414. */
const WELL_KNOWN = /^(.*)\/\.well-known\/(?:openid-configuration|oauth-authorization-server)(\/.*)?$/

const SUFFIX = '/.well-known/openid-configuration'

/**
 * The issuer of a well-known URL, without a trailing slash; undefined for another URL. The well-known suffix follows the issuer
 * (OpenID Connect Discovery, section 4; also Okta's custom servers for RFC 8414) or is between its host and path (RFC 8414,
 * section 3).
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

/** The URL of an issuer's configuration. */
export function wellKnownUrlOf(issuer: string): string {
  return `${withoutSlash(issuer)}${SUFFIX}`
}

/**
 * Whether a published issuer matches the issuer of its URL. A trailing slash (Auth0 has one), the case of the host and the
 * default port are ignored, because the URL does not show them.
 */
export function isSameIssuer(published: URL, expected: string): boolean {
  return withoutSlash(published.href) === expected
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}

/** A URL that is often sent instead of the well-known URL, and the issuer it belongs to. `$1` … are the groups of the pattern. */
interface KnownPage {
  readonly pattern: RegExp
  readonly issuer: string
}

/**
 * Pages of common identity providers that an administrator has open when asked for the URL, and endpoints that are shown there.
 * Parts that the URL does not contain are in angle brackets. The first match is used.
 */
const KNOWN_PAGES: readonly KnownPage[] = [
  { pattern: /^(https:\/\/[\w-]+?)-admin(\.okta(?:preview|-emea)?\.com)\//, issuer: '$1$2' },
  { pattern: /^(https:\/\/[^/]+\/oauth2\/\w+)\/v1\/\w+$/, issuer: '$1' },
  { pattern: /^(https:\/\/[^/]+)\/oauth2\/v1\/\w+$/, issuer: '$1' },
  {
    pattern: /^https:\/\/(?:[\w-]+\.)?(?:entra\.microsoft\.com|portal\.azure\.com)\//,
    issuer: 'https://login.microsoftonline.com/<tenant id>/v2.0',
  },
  {
    pattern: /^(https:\/\/login\.microsoftonline\.(?:com|us)\/[^/?#]+)(?:\/(?!v2\.0)[^?#]*)?\/?$/,
    issuer: '$1/v2.0',
  },
  {
    pattern: /^https:\/\/(?:admin|console\.cloud|workspace|accounts)\.google\.com\//,
    issuer: 'https://accounts.google.com',
  },
  { pattern: /^(https?:\/\/[^?#]+\/realms\/[^/?#]+)\/(?:protocol|account)\b/, issuer: '$1' },
  {
    pattern: /^(https?:\/\/[^/]+(?:\/auth)?)\/admin\/[^/]+\/console\/?#\/(?:realms\/)?([^/?]+)/,
    issuer: '$1/realms/$2',
  },
  { pattern: /^https:\/\/manage\.auth0\.com\/dashboard\/(\w+)\/([\w-]+)/, issuer: 'https://$2.$1.auth0.com' },
  { pattern: /^(https:\/\/[\w-]+(?:\.\w\w)?\.auth0\.com)\//, issuer: '$1' },
  { pattern: /^https:\/\/console\.pingone\.(\w+)\//, issuer: 'https://auth.pingone.$1/<environment id>/as' },
  { pattern: /^(https:\/\/auth\.pingone\.\w+\/[\w-]+)(?:\/|$)/, issuer: '$1/as' },
  { pattern: /^https:\/\/console\.jumpcloud\.com\//, issuer: 'https://oauth.id.jumpcloud.com' },
  { pattern: /^(https:\/\/[\w-]+\.onelogin\.com)\//, issuer: '$1/oidc/2' },
]

/** A guessed well-known URL. */
export interface Suggestion {
  readonly url: string
  /** False if it contains placeholders. */
  readonly isComplete: boolean
}

/**
 * Guesses the well-known URL from another URL: an issuer, an endpoint, or a page of the admin console.
 *
 * @example
 * suggestUrl('https://acme-admin.okta.com/admin/apps').url // 'https://acme.okta.com/.well-known/openid-configuration'
 */
export function suggestUrl(given: string): Suggestion {
  for (const { pattern, issuer } of KNOWN_PAGES) {
    const match = pattern.exec(given)
    if (match === null) continue
    const filled = issuer.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '')
    return { url: wellKnownUrlOf(filled), isComplete: !filled.includes('<') }
  }
  const url = new URL(given)
  const path = url.pathname.replace(/\/\.well-?known\b.*$/, '')
  return { url: wellKnownUrlOf(`${url.origin}${path}`), isComplete: true }
}

const TENANT = /^https:\/\/sts\.windows\.net\/([\w-]+)\/?$/

/**
 * The well-known URL of an issuer that a configuration publishes under another URL: Entra ID's old endpoint publishes another
 * host, and its multi-tenant endpoints a template.
 *
 * @example
 * suggestForIssuer('https://idp.acme.com/{tenantid}/v2.0')
 * // 'https://idp.acme.com/<tenant id>/v2.0/.well-known/openid-configuration'
 */
export function suggestForIssuer(issuer: string): string {
  const filled = issuer.replace(/\{[^{}]*\}/g, '<tenant id>')
  return wellKnownUrlOf(filled.replace(TENANT, 'https://login.microsoftonline.com/$1/v2.0'))
}
