import { wellKnownUrlOf } from './well-known-url.js'

/** What somebody pastes instead of the well-known URL, and what they meant. `$1` … are the groups of the pattern. */
interface Paste {
  readonly pattern: RegExp
  readonly issuer: string
}

/**
 * Pages of the well-known identity providers on which an administrator stands when asked for the URL, and endpoints that are
 * shown beside it. What a URL does not tell stands in angle brackets. The first that fits counts.
 */
const PASTES: readonly Paste[] = [
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

/** A well-known URL that somebody may have meant. */
export interface Suggestion {
  readonly url: string
  /** It can be tried as it stands. */
  readonly isComplete: boolean
}

/**
 * Guesses the well-known URL from what was given in its place: an issuer, an endpoint, the address of an administrator's page.
 *
 * @example
 * suggestUrl('https://acme-admin.okta.com/admin/apps').url // 'https://acme.okta.com/.well-known/openid-configuration'
 */
export function suggestUrl(text: string): Suggestion {
  for (const { pattern, issuer } of PASTES) {
    const match = pattern.exec(text)
    if (match === null) continue
    const filled = issuer.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '')
    return { url: wellKnownUrlOf(filled), isComplete: !filled.includes('<') }
  }
  const url = new URL(text)
  const path = url.pathname.replace(/\/\.well-?known\b.*$/, '')
  return { url: wellKnownUrlOf(`${url.origin}${path}`), isComplete: true }
}

const TENANT = /^https:\/\/sts\.windows\.net\/([\w-]+)\/?$/

/**
 * The well-known URL of an issuer that a document names, though it stands elsewhere: Entra ID's old endpoint names another
 * host, and its multi-tenant ones a template.
 *
 * @example
 * suggestForIssuer('https://idp.acme.com/{tenantid}/v2.0')
 * // 'https://idp.acme.com/<tenant id>/v2.0/.well-known/openid-configuration'
 */
export function suggestForIssuer(issuer: string): string {
  const filled = issuer.replace(/\{[^{}]*\}/g, '<tenant id>')
  return wellKnownUrlOf(filled.replace(TENANT, 'https://login.microsoftonline.com/$1/v2.0'))
}
