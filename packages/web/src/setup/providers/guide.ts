import type { Shape } from '../../checks/client.js'

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

/** One thing to fill in to get the well-known URL. */
export interface Blank {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly example?: string
  /** How what was typed becomes part of the URL. `host` and `address` take a whole URL, too; `choice` has options. */
  readonly kind: 'host' | 'address' | 'subdomain' | 'uuid' | 'segment' | 'choice'
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** What is cut off a `subdomain` that was pasted with its domain. */
  readonly suffix?: string
}

/** What to enter for a setting: a value to copy, or what to choose. */
export type SettingValue =
  | { readonly copy: 'sign-in-uri' | 'login-uri' | 'app-name' | 'client-name' }
  | { readonly choose: readonly string[] }

export interface Setting {
  /** The name of the setting in the console. */
  readonly label: string
  readonly value: SettingValue
  readonly note?: string
}

/** Settings that stand on one screen of the console. */
export interface Screen {
  /** The way to it, click by click. */
  readonly path: readonly string[]
  readonly settings: readonly Setting[]
}

/** Everything the page knows about one identity provider. The names are those of its console, in English. */
export interface ProviderGuide {
  readonly id: ProviderId
  readonly name: string
  readonly console: { readonly name: string; readonly url?: string }
  /** Where the well-known URL, or what it is made of, is found. */
  readonly finding: string
  readonly blanks: readonly Blank[]
  /** The well-known URL with `{name}` for each blank; without one, the URL is typed. */
  readonly template?: string
  readonly screens: readonly Screen[]
  readonly credentials: { readonly path: readonly string[]; readonly note?: string }
  readonly clientId?: Shape
  /** What people paste in place of the secret. */
  readonly mistakenSecret?: Shape
  /** What to remember after the connection works. */
  readonly afterwards?: string
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
