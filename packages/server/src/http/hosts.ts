import type { Settings } from '../settings/settings.js'

/** The three addresses of the service. */
export type Role = 'onboard' | 'base' | 'app'

export type Addresses = Pick<Settings, 'onboardUrl' | 'baseUrl' | 'appUrl'>

/** Says where a path of a role is to be found when the Host of a request belongs to another one; undefined when all is well. */
export type FindRightAddress = (role: Role, host: string) => string | undefined

interface Address {
  readonly role: Role
  readonly url: string
  readonly protocol: string
  readonly host: string
  readonly hostname: string
}

/**
 * Tells the hosts of the service apart. A Host that is none of the three (an address, a forwarded port, a health check) reaches
 * everything: nothing of an answer is made from the Host, so there is nothing to protect.
 *
 * @example
 * const rightAddress = createHosts({ onboardUrl: 'https://start.acme.com', baseUrl: 'https://omen.acme.com', appUrl: 'https://omen.acme.com' })
 * rightAddress('onboard', 'omen.acme.com') // https://start.acme.com
 */
export function createHosts({ onboardUrl, baseUrl, appUrl }: Addresses): FindRightAddress {
  const addresses = Object.entries({ onboard: onboardUrl, base: baseUrl, app: appUrl }).map(([role, url]): Address => {
    const { protocol, host, hostname } = new URL(url)
    return { role: role as Role, url, protocol, host, hostname }
  })
  const first = addresses[0]!
  if (addresses.every(({ host }) => host === first.host)) return () => undefined
  // Nearly every request names its host as it is configured: those need no parsing.
  const asConfigured = new Map(addresses.map(({ host }) => [host, meantBy(host, addresses)]))
  return (role, host) => {
    const meant = asConfigured.get(host) ?? meantBy(host, addresses)
    if (meant.length === 0 || meant.some((address) => address.role === role)) return undefined
    return addresses.find((address) => address.role === role)!.url
  }
}

/** By host and port; a proxy may have put another port there, so by the name alone when that finds nothing. */
function meantBy(written: string, addresses: readonly Address[]): readonly Address[] {
  const exact = addresses.filter(({ protocol, host }) => parseHost(written, protocol)?.host === host)
  if (exact.length > 0) return exact
  return addresses.filter(({ protocol, hostname }) => parseHost(written, protocol)?.hostname === hostname)
}

function parseHost(written: string, protocol: string): URL | undefined {
  const host = written.replace(/\.(?=:\d+$|$)/, '')
  // A Host is no place for anything but a name and a port.
  if (/[\s/?#@\\]/.test(host)) return undefined
  const url = `${protocol}//${host}`
  return URL.canParse(url) ? new URL(url) : undefined
}
