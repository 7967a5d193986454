import { bad, type Check, EMPTY, good, partial } from '../../checks/check.js'
import { type Blank, type ProviderGuide, UUID } from './guide.js'

const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/i
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i

const CHECKS: Readonly<Record<Blank['kind'], (text: string, blank: Blank) => Check>> = {
  host: (text) => {
    const host = withoutScheme(text)
      .replace(/[/?#].*$/s, '')
      .replace(/-admin(\.okta)/i, '$1')
      .toLowerCase()
    return HOST.test(host) ? good(host) : partial('A domain such as the example.')
  },
  address: (text) => {
    const address = `https://${withoutScheme(text)}`.replace(/\/realms(\/.*)?$/s, '').replace(/\/+$/, '')
    const scheme = /^http:\/\//i.test(text) ? address.replace(/^https/, 'http') : address
    if (!URL.canParse(scheme)) return partial('An address such as the example.')
    return /[?#@\s]/.test(scheme) ? bad('Only the address itself, up to where “/realms” begins.') : good(scheme)
  },
  subdomain: (text, { suffix = '' }) => {
    const host = withoutScheme(text)
      .replace(/[/?#].*$/s, '')
      .toLowerCase()
    const name = suffix !== '' && host.endsWith(suffix) ? host.slice(0, -suffix.length) : host
    return LABEL.test(name) ? good(name) : bad('Letters, digits and hyphens only.')
  },
  uuid: (text) =>
    UUID.test(text)
      ? good(text.toLowerCase())
      : /^[0-9a-f-]*$/i.test(text)
        ? partial('An ID has 32 digits in five groups, like the example.')
        : bad('An ID has the digits 0 to 9 and a to f in five groups, like the example.'),
  segment: (text) =>
    /[/?#]/.test(text) ? bad('Only the name, not the whole address.') : good(encodeURIComponent(text)),
  choice: (text, { options = [] }) =>
    options.some(({ value }) => value === text) ? good(text) : bad('Choose one of the list.'),
}

/**
 * Checks what was typed into a blank; a good one's value is what belongs into the URL.
 *
 * @example
 * checkBlank(okta.blanks[0], 'https://acme-admin.okta.com/') // { state: 'good', value: 'acme.okta.com' }
 */
export function checkBlank(blank: Blank, text: string): Check {
  const typed = text.trim()
  return typed === '' ? EMPTY : CHECKS[blank.kind](typed, blank)
}

/** What stands in a blank before anybody typed: the first option of a choice. */
export function initialBlank(blank: Blank): string {
  return blank.kind === 'choice' ? (blank.options?.[0]?.value ?? '') : ''
}

/**
 * Builds the well-known URL of an identity provider, once all its blanks are good.
 *
 * @example
 * fillBlanks(keycloak, { server: 'sso.acme.com', realm: 'acme' })
 * // 'https://sso.acme.com/realms/acme/.well-known/openid-configuration'
 */
export function fillBlanks(guide: ProviderGuide, typed: Readonly<Record<string, string>>): string | undefined {
  let url = guide.template
  for (const blank of guide.blanks) {
    const check = checkBlank(blank, typed[blank.name] ?? initialBlank(blank))
    if (check.state !== 'good') return undefined
    url = url?.replace(`{${blank.name}}`, () => check.value)
  }
  return url
}

function withoutScheme(text: string): string {
  return text.replace(/^https?:\/\//i, '')
}
