import type { Settings } from '../settings/settings.js'

/** Nothing may be loaded, framed or sent: right for JSON. */
const NOTHING = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]

/** The set-up page: files of its own host alone. */
const OWN_FILES = [
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

/** The policy of a page that has one inline style sheet and nothing else. */
export function stylePolicy(styleHash: string): string {
  return [...NOTHING, `style-src '${styleHash}'`].join('; ')
}

/** The policy of a page with one inline style sheet and forms that lead to these places, redirects included. */
export function formPolicy(styleHash: string, places: readonly string[]): string {
  const rules = NOTHING.map((rule) => (rule.startsWith('form-action') ? `form-action ${places.join(' ')}` : rule))
  return [...rules, `style-src '${styleHash}'`].join('; ')
}

/** The headers of a document beside those of every response: its policy, and no feature of the browser, which JSON cannot use. */
export function documentHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policy,
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

/** The headers of the set-up page and the app. */
export const PAGE_HEADERS = documentHeaders(OWN_FILES.join('; '))

/**
 * The headers of every response: those of helmet (a test holds the two together), but strict, and made once instead of for each
 * request. There are no CORS headers: no page of another origin may read an answer.
 */
export function securityHeaders({ onboardUrl }: Pick<Settings, 'onboardUrl'>): Readonly<Record<string, string>> {
  return {
    'content-security-policy': NOTHING.join('; '),
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
    // Without HTTPS, browsers ignore it. Not for subdomains: those may belong to others.
    ...(onboardUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
