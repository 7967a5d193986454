import { bad, type Check, EMPTY, good, partial } from '../../checks/check.js'
import { type Placeholder, type ProviderGuide, UUID } from './guide.js'

const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/i
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i

const CHECKS: Readonly<Record<Placeholder['kind'], (text: string, placeholder: Placeholder) => Check>> = {
  host: (text) => {
    const host = withoutScheme(text)
      .replace(/[/?#].*$/s, '')
      .replace(/-admin(\.okta)/i, '$1')
      .toLowerCase()
    return HOST.test(host) ? good(host) : partial('Enter a domain like the example.')
  },
  url: (text) => {
    const url = `https://${withoutScheme(text)}`.replace(/\/realms(\/.*)?$/s, '').replace(/\/+$/, '')
    const typed = /^http:\/\//i.test(text) ? url.replace(/^https/, 'http') : url
    if (!URL.canParse(typed)) return partial('Enter a URL like the example.')
    return /[?#@\s]/.test(typed) ? bad('Enter only the part of the URL before “/realms”.') : good(typed)
  },
  subdomain: (text, { suffix = '' }) => {
    const host = withoutScheme(text)
      .replace(/[/?#].*$/s, '')
      .toLowerCase()
    const name = suffix !== '' && host.endsWith(suffix) ? host.slice(0, -suffix.length) : host
    return LABEL.test(name) ? good(name) : bad('Use only letters, digits and hyphens.')
  },
  uuid: (text) =>
    UUID.test(text)
      ? good(text.toLowerCase())
      : /^[0-9a-f-]*$/i.test(text)
        ? partial('An ID has 32 hexadecimal digits in five groups, like the example.')
        : bad('An ID contains only the digits 0 to 9 and a to f in five groups, like the example.'),
  segment: (text) => (/[/?#]/.test(text) ? bad('Enter only the name, not the URL.') : good(encodeURIComponent(text))),
  choice: (text, { options = [] }) =>
    options.some(({ value }) => value === text) ? good(text) : bad('Select one from the list.'),
}

/**
 * Checks the input for a placeholder. The value of a good one replaces the placeholder in the URL.
 *
 * @example
 * checkPlaceholder(okta.placeholders[0], 'https://acme-admin.okta.com/') // { state: 'good', value: 'acme.okta.com' }
 */
export function checkPlaceholder(placeholder: Placeholder, text: string): Check {
  const typed = text.trim()
  return typed === '' ? EMPTY : CHECKS[placeholder.kind](typed, placeholder)
}

/** The value of a placeholder before any input: the first option of a choice. */
export function initialValue(placeholder: Placeholder): string {
  return placeholder.kind === 'choice' ? (placeholder.options?.[0]?.value ?? '') : ''
}

/**
 * Builds the well-known URL of an identity provider; undefined until all its placeholders are good.
 *
 * @example
 * buildWellKnownUrl(keycloak, { server: 'sso.acme.com', realm: 'acme' })
 * // 'https://sso.acme.com/realms/acme/.well-known/openid-configuration'
 */
export function buildWellKnownUrl(guide: ProviderGuide, typed: Readonly<Record<string, string>>): string | undefined {
  let url = guide.template
  for (const placeholder of guide.placeholders) {
    const check = checkPlaceholder(placeholder, typed[placeholder.name] ?? initialValue(placeholder))
    if (check.state !== 'good') return undefined
    url = url?.replace(`{${placeholder.name}}`, () => check.value)
  }
  return url
}

function withoutScheme(text: string): string {
  return text.replace(/^https?:\/\//i, '')
}
