import type { Settings } from '../settings/settings.js'

/** Nothing may be loaded, framed or sent: for JSON. */
const ALLOW_NOTHING = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]

/** The set-up page and the app load files only from their own host. */
const ALLOW_OWN_FILES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

/** The policy of a page with one inline style sheet and nothing else. */
export function stylePolicy(styleHash: string): string {
  return [...ALLOW_NOTHING, `style-src '${styleHash}'`].join('; ')
}

/** The policy of a page with one inline style sheet and forms that may be sent, or redirected, to these sources. */
export function formPolicy(styleHash: string, sources: readonly string[]): string {
  const directives = ALLOW_NOTHING.map((directive) =>
    directive.startsWith('form-action') ? `form-action ${sources.join(' ')}` : directive,
  )
  return [...directives, `style-src '${styleHash}'`].join('; ')
}

/** The headers of a document, in addition to those of every response. JSON cannot use browser features, so it has no policy for them. */
export function documentHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policy,
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

/** The headers of the set-up page and the app. */
export const PAGE_HEADERS = documentHeaders(ALLOW_OWN_FILES.join('; '))

/**
 * The headers of every response: those that helmet sets, with stricter values (a test compares the two). There are no CORS
 * headers: no page of another origin may read a response. See docs/decisions/0009-security-headers-without-helmet.md.
 */
export function securityHeaders({ onboardUrl }: Pick<Settings, 'onboardUrl'>): Readonly<Record<string, string>> {
  return {
    'content-security-policy': ALLOW_NOTHING.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    // Browsers ignore it without HTTPS. Subdomains are not included: they may belong to others.
    ...(onboardUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
