import type { Provider } from '../discovery/provider.js'

/** Who it is, the address, the name, and a refresh token. */
const WANTED = ['openid', 'email', 'profile', 'offline_access'] as const

/**
 * The scopes to ask for: those that are wanted, as far as the provider publishes what it offers. A provider that publishes
 * nothing is asked for all of them. `openid` is what makes it OpenID Connect, so it is always there.
 *
 * @example
 * chooseScopes({ scopes: ['openid', 'email', 'groups'] }) // 'openid email'
 */
export function chooseScopes({ scopes }: Pick<Provider, 'scopes'>): string {
  return WANTED.filter((scope) => scope === 'openid' || scopes === undefined || scopes.includes(scope)).join(' ')
}
