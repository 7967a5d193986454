import { auth0 } from './auth0.js'
import { entra } from './entra.js'
import { google } from './google.js'
import type { ProviderGuide, ProviderId } from './guide.js'
import { jumpcloud } from './jumpcloud.js'
import { keycloak } from './keycloak.js'
import { okta } from './okta.js'
import { onelogin } from './onelogin.js'
import { other } from './other.js'
import { ping } from './ping.js'

/** In the order in which the page lists them. */
export const PROVIDERS: readonly ProviderGuide[] = [
  okta,
  entra,
  google,
  keycloak,
  auth0,
  ping,
  jumpcloud,
  onelogin,
  other,
]

/**
 * Finds the guide of an identity provider; the guide `other` for an unknown one.
 *
 * @example
 * guideOf('okta').name // 'Okta'
 */
export function guideOf(id: string): ProviderGuide {
  return PROVIDERS.find((guide) => guide.id === id) ?? other
}

export function isProviderId(id: unknown): id is ProviderId {
  return PROVIDERS.some((guide) => guide.id === id)
}
