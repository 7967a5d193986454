import { checkClient } from './check-client.js'
import { discover } from './discover.js'
import { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.js'
import type { Discovery } from './provider.js'

export interface DiscoveryOptions extends GuardedFetchOptions {
  /** In place of the one that the other options describe. */
  readonly fetch?: GuardedFetch
}

/**
 * Makes the service's way to identity providers. It keeps nothing between calls, so any number may run at once.
 *
 * @example
 * const discovery = createDiscovery({ allowInsecure: false })
 * const provider = await discovery.discover('https://acme.okta.com/.well-known/openid-configuration')
 */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const guarded = options.fetch ?? createGuardedFetch(options)
  return {
    discover: (wellKnownUrl) => discover(wellKnownUrl, guarded),
    checkClient: (provider, client) => checkClient(provider, client, guarded),
  }
}
