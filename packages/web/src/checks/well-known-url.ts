import { bad, type Check, doubtful, EMPTY, good, partial } from './check.js'

const DOCUMENT = '/.well-known/openid-configuration'
/** Hosts of identity providers under development. The service decides whether they may be used. */
const LOCAL_HOST = /^(localhost|.*\.localhost|[^.]+|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|\[::1\])$/
const UNFILLED = /[{<]([^}>]*)[}>]|%7[Bb]|%3[Cc]/
const OKTA_CONSOLE = /^(.+)-admin(\.okta(?:preview|-emea)?\.com)$/
const SHARED_TENANT = /^\/(common|organizations|consumers)(\/|$)/i

/**
 * Checks the URL of an OpenID Connect configuration as it is typed, and offers a corrected one.
 *
 * @example
 * checkWellKnownUrl('acme.okta.com')
 * // { state: 'bad', message: '…', fix: 'https://acme.okta.com/.well-known/openid-configuration' }
 */
export function checkWellKnownUrl(text: string): Check {
  const typed = text.trim()
  if (typed === '') return EMPTY
  if (/\s/.test(typed)) return bad('A URL has no spaces.', typed.replace(/\s+/g, ''))
  if (UNFILLED.test(typed)) return bad('The URL still contains a placeholder. Replace it with your own value.')
  if (!typed.includes('://')) return withoutScheme(typed)
  if (!URL.canParse(typed)) return bad('This is not a URL.')
  return checkUrl(typed, new URL(typed))
}

function withoutScheme(typed: string): Check {
  if ('https://'.startsWith(typed.toLowerCase())) return partial('The URL starts with https:// and your host name.')
  const guess = `https://${typed.replace(/^\/+/, '')}`
  const looksLikeHost = URL.canParse(guess) && /^[^./:]+(\.[^./:]+)+/.test(typed)
  return looksLikeHost ? bad('The URL must start with https://.', repaired(new URL(guess))) : bad('This is not a URL.')
}

function checkUrl(typed: string, url: URL): Check {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return bad('The URL must start with https://.')
  const shared = url.hostname.startsWith('login.') ? SHARED_TENANT.exec(url.pathname)?.[1] : undefined
  if (shared !== undefined) {
    return bad(`This URL is shared by all tenants. Replace “${shared}” with your Directory (tenant) ID.`)
  }
  if (url.username !== '' || url.password !== '')
    return bad('The URL must not contain a user name or password.', repaired(url))
  if (url.protocol === 'http:' && !LOCAL_HOST.test(url.hostname)) {
    return bad('The identity provider must use https.', repaired(url))
  }
  if (OKTA_CONSOLE.test(url.hostname)) {
    return bad('This is the URL of the Admin Console. Remove “-admin”.', repaired(url))
  }
  if (url.hash !== '') return bad('Remove the part after “#”.', repaired(url))
  if (!url.pathname.includes('/.well-known/')) {
    return doubtful(typed, 'The path usually contains /.well-known/.', repaired(url))
  }
  if (url.protocol === 'http:') return good(typed, 'Without https, this works only with a development server.')
  return good(typed)
}

/** The URL with every mistake corrected at once, so that one click is enough. */
function repaired(url: URL): string {
  const copy = new URL(url)
  copy.username = ''
  copy.password = ''
  copy.hash = ''
  copy.hostname = copy.hostname.replace(OKTA_CONSOLE, '$1$2')
  if (!LOCAL_HOST.test(copy.hostname)) copy.protocol = 'https:'
  if (!copy.pathname.includes('/.well-known/')) {
    copy.search = ''
    copy.pathname = `${copy.pathname.replace(/\/+$/, '')}${DOCUMENT}`
  }
  return copy.href
}
