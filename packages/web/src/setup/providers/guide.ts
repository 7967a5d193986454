import type { ValuePattern } from '../../checks/client.js'

export type ProviderId =
  | 'okta'
  | 'entra'
  | 'google'
  | 'keycloak'
  | 'auth0'
  | 'ping'
  | 'jumpcloud'
  | 'onelogin'
  | 'other'

/** One placeholder in the template of a well-known URL. */
export interface Placeholder {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly example?: string
  /** How the input becomes part of the URL. `host` and `url` also accept a complete URL; `choice` has options. */
  readonly kind: 'host' | 'url' | 'subdomain' | 'uuid' | 'segment' | 'choice'
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** Removed from a `subdomain` that was pasted with its domain. */
  readonly suffix?: string
}

/** What to enter for a setting: a value to copy, or options to select. */
export type SettingValue =
  | { readonly copy: 'sign-in-uri' | 'login-uri' | 'app-name' | 'client-name' }
  | { readonly choose: readonly string[] }

export interface Setting {
  /** The name of the setting in the console. */
  readonly label: string
  readonly value: SettingValue
  readonly note?: string
}

/** The settings on one screen of the console. */
export interface Screen {
  /** The menu path to the screen. */
  readonly path: readonly string[]
  readonly settings: readonly Setting[]
}

/** The instructions for one identity provider. The names are those of its console in English. */
export interface ProviderGuide {
  readonly id: ProviderId
  readonly name: string
  readonly console: { readonly name: string; readonly url?: string }
  /** Where to find the well-known URL, or the values of its placeholders. */
  readonly wellKnownUrlHint: string
  readonly placeholders: readonly Placeholder[]
  /** The well-known URL with `{name}` for each placeholder; without a template, the user enters the URL. */
  readonly template?: string
  readonly screens: readonly Screen[]
  readonly credentials: { readonly path: readonly string[]; readonly note?: string }
  readonly clientId?: ValuePattern
  /** What users often paste instead of the secret. */
  readonly wrongSecret?: ValuePattern
  /** What to keep in mind once the connection works. */
  readonly reminder?: string
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
