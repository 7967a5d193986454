import { bad, type Check, doubtful, EMPTY, good, partial } from './check.js'

const DOCUMENT = '/.well-known/openid-configuration'
/** Where an identity provider under development stands. Whether such a server may be used is for the service to say. */
const LOCAL_HOST = /^(localhost|.*\.localhost|[^.]+|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|\[::1\])$/
const UNFILLED = /[{<]([^}>]*)[}>]|%7[Bb]|%3[Cc]/
const OKTA_CONSOLE = /^(.+)-admin(\.okta(?:preview|-emea)?\.com)$/
const SHARED_TENANT = /^\/(common|organizations|consumers)(\/|$)/i

/**
 * Checks the address of an OpenID Connect configuration as it is typed, and offers what was probably meant.
 *
 * @example
 * checkWellKnownUrl('acme.okta.com')
 * // { state: 'bad', message: '…', fix: 'https://acme.okta.com/.well-known/openid-configuration' }
 */
export function checkWellKnownUrl(text: string): Check {
  const typed = text.trim()
  if (typed === '') return EMPTY
  if (/\s/.test(typed)) return bad('An address has no blanks.', typed.replace(/\s+/g, ''))
  if (UNFILLED.test(typed)) return bad('Part of the address is still a placeholder: put your own value there.')
  if (!typed.includes('://')) return withoutScheme(typed)
  if (!URL.canParse(typed)) return bad('This is not a web address.')
  return checkUrl(typed, new URL(typed))
}

function withoutScheme(typed: string): Check {
  if ('https://'.startsWith(typed.toLowerCase())) return partial('The address begins with https:// and your host.')
  const guess = `https://${typed.replace(/^\/+/, '')}`
  const looksLikeHost = URL.canParse(guess) && /^[^./:]+(\.[^./:]+)+/.test(typed)
  return looksLikeHost
    ? bad('The address begins with https://.', repaired(new URL(guess)))
    : bad('This is not a web address.')
}

function checkUrl(typed: string, url: URL): Check {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return bad('The address begins with https://.')
  if (url.hostname.startsWith('login.') && SHARED_TENANT.test(url.pathname)) {
    return bad('This address is shared by all tenants. Put your Directory (tenant) ID in its place.')
  }
  if (url.username !== '' || url.password !== '') return bad('The address has no user name or password.', repaired(url))
  if (url.protocol === 'http:' && !LOCAL_HOST.test(url.hostname)) {
    return bad('Identity providers are reached by https only.', repaired(url))
  }
  if (OKTA_CONSOLE.test(url.hostname)) {
    return bad('This is the address of the Admin Console; users sign in without “-admin”.', repaired(url))
  }
  if (url.hash !== '') return bad('The address ends before the “#”.', repaired(url))
  if (!url.pathname.includes('/.well-known/')) {
    return doubtful(typed, 'A configuration usually stands below /.well-known/.', repaired(url))
  }
  if (url.protocol === 'http:') return good(typed, 'Without https this works only on a server for development.')
  return good(typed)
}

/** The address that was probably meant: with everything put right at once, so that one offer is enough. */
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
