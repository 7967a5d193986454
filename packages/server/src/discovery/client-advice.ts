import type { FieldError } from '../problem.js'
import type { TokenResponse } from './check-client.js'
import type { ClientCredentials } from './provider.js'

/** Which credentials are wrong, and what to do. */
export interface Advice {
  readonly fields: readonly ('client_id' | 'client_secret')[]
  readonly advice: string
}

interface Sign extends Advice {
  /** Matches the provider's description of the error. */
  readonly pattern: RegExp
}

const GRANT = 'Allow the authorization code grant (and refresh tokens) in the application at the identity provider.'

/** Descriptions of providers that say more than "invalid client". The first match is used. */
const SIGNS: readonly Sign[] = [
  {
    pattern: /AADSTS7000215/,
    fields: ['client_secret'],
    advice:
      'Entra ID does not know this secret. Send the Value of the client secret, not its Secret ID. The value is shown only once; if it is lost, create a new secret.',
  },
  {
    pattern: /AADSTS7000222/,
    fields: ['client_secret'],
    advice: 'The client secret has expired in Entra ID. Create a new secret and send its Value.',
  },
  {
    pattern: /AADSTS700016/,
    fields: ['client_id'],
    advice:
      'Entra ID has no application with this ID in the tenant of the well-known URL. Send the Application (client) ID, not the Object ID, and check the tenant.',
  },
  {
    pattern: /AADSTS700025/,
    fields: ['client_id'],
    advice: 'The application is a public client. Register its redirect URI under the platform "Web".',
  },
  {
    pattern: /grant.{0,30}not (?:allowed|enabled|authorized)|not allowed to use.{0,30}grant/i,
    fields: ['client_id'],
    advice: GRANT,
  },
  {
    pattern: /client secret|secret supplied/i,
    fields: ['client_secret'],
    advice:
      'The client secret is wrong or was replaced. Copy the current secret from the application at the identity provider.',
  },
  {
    pattern: /'client_id' parameter|client (?:was )?not found|unknown client\b(?!,)/i,
    fields: ['client_id'],
    advice:
      'There is no application with this client ID. Copy the client ID from the application at the identity provider, and check that the well-known URL belongs to the same identity provider.',
  },
]

const COPY_BOTH =
  'Copy the client ID and the client secret again from the same application at the identity provider, complete and without spaces'

/** For other descriptions. `unauthorized_client` means wrong credentials in Keycloak, and a wrong grant in the standard. */
const DEFAULTS: Readonly<Record<string, string>> = {
  unauthorized_client: `${COPY_BOTH}, and check that the authorization code grant is allowed.`,
}

/**
 * Advice for a client that was rejected.
 *
 * @example
 * adviseRejected(response).advice // 'Copy the client ID and the client secret again …'
 */
export function adviseRejected({ error = '', description }: TokenResponse): Advice {
  const sign = SIGNS.find(({ pattern }) => pattern.test(description))
  return sign ?? { fields: ['client_id', 'client_secret'], advice: DEFAULTS[error] ?? `${COPY_BOTH}.` }
}

/** Advice for responses that neither accept nor reject the client, by error. */
const UNCLEAR: Readonly<Record<string, string>> = {
  redirect_uri_mismatch:
    'Enter the sign_in_uri of this transaction as the redirect URI of the application, exactly as it is.',
  unsupported_grant_type: GRANT,
}

/** Advice for a response that neither accepts nor rejects the client. */
export function adviseUnclear({ error = '' }: TokenResponse): string {
  return UNCLEAR[error] ?? 'Check the application at the identity provider and try again.'
}

/**
 * What looks wrong with the credentials. The messages never contain the values.
 *
 * @example
 * findTypos({ clientId: 'a', clientSecret: 'b ', redirectUri }) // [{ field: 'client_secret', message: 'It ends with a space.' }]
 */
export function findTypos({ clientId, clientSecret }: ClientCredentials): readonly FieldError[] {
  const values = { client_id: clientId, client_secret: clientSecret }
  return Object.entries(values).flatMap(([field, value]) =>
    TYPOS.filter(({ pattern }) => pattern.test(value)).map(({ message }) => ({ field, message })),
  )
}

const TYPOS = [
  { pattern: /^\s/, message: 'It starts with a space.' },
  { pattern: /\s$/, message: 'It ends with a space.' },
  { pattern: /^(["'<]).*(["'>])$/s, message: 'It is in quotes or brackets.' },
  { pattern: /[^\x20-\x7e\s]/, message: 'It contains a character that credentials never contain.' },
] as const
