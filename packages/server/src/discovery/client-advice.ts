import type { FieldError } from '../problem.js'
import type { ClientCredentials } from './provider.js'
import type { TokenAnswer } from './token-answer.js'

/** What a rejection means, and what to do. */
export interface Advice {
  readonly fields: readonly ('client_id' | 'client_secret')[]
  readonly text: string
}

interface Sign extends Advice {
  /** Found in the provider's description of the error. */
  readonly pattern: RegExp
}

const GRANT = 'Allow the authorization code grant (and refresh tokens) in the application at the identity provider.'

/** What providers write where they know more than "invalid client". The first that fits counts. */
const SIGNS: readonly Sign[] = [
  {
    pattern: /AADSTS7000215/,
    fields: ['client_secret'],
    text: 'Entra ID does not know the secret: send the Value of the client secret, not its Secret ID. The value is shown once; if it is lost, make a new secret.',
  },
  {
    pattern: /AADSTS7000222/,
    fields: ['client_secret'],
    text: 'The client secret has expired in Entra ID. Make a new one and send its Value.',
  },
  {
    pattern: /AADSTS700016/,
    fields: ['client_id'],
    text: 'Entra ID has no application with this ID in the tenant of the well-known URL. Send the Application (client) ID, not the Object ID, and check the tenant.',
  },
  {
    pattern: /AADSTS700025/,
    fields: ['client_id'],
    text: 'The application is a public client. Register its redirect URI under the platform "Web".',
  },
  {
    pattern: /grant.{0,30}not (?:allowed|enabled|authorized)|not allowed to use.{0,30}grant/i,
    fields: ['client_id'],
    text: GRANT,
  },
  {
    pattern: /client secret|secret supplied/i,
    fields: ['client_secret'],
    text: 'The client secret is wrong, or was replaced. Copy the current one from the application at the identity provider.',
  },
  {
    pattern: /'client_id' parameter|client (?:was )?not found|unknown client\b(?!,)/i,
    fields: ['client_id'],
    text: 'There is no application with this client ID. Copy it from the application at the identity provider, and check that the well-known URL belongs to the same one.',
  },
]

const COPY_BOTH =
  'Copy the client ID and the client secret again from the same application at the identity provider, whole and without blanks'

/** Where the description tells nothing. Keycloak's `unauthorized_client` means wrong credentials, the standard's a wrong grant. */
const DEFAULTS: Readonly<Record<string, string>> = {
  unauthorized_client: `${COPY_BOTH}, and check that the authorization code grant is allowed.`,
}

/**
 * Advice for somebody whose client was rejected.
 *
 * @example
 * adviseRejected(answer).text // 'Copy the client ID and the client secret again …'
 */
export function adviseRejected({ error = '', description }: TokenAnswer): Advice {
  const sign = SIGNS.find(({ pattern }) => pattern.test(description))
  return sign ?? { fields: ['client_id', 'client_secret'], text: DEFAULTS[error] ?? `${COPY_BOTH}.` }
}

/** For answers that are neither yes nor no. */
const UNCLEAR: Readonly<Record<string, string>> = {
  redirect_uri_mismatch:
    'Enter the sign_in_uri of this transaction as the redirect URI of the application, letter by letter.',
  unsupported_grant_type: GRANT,
}

/** Advice for an answer that is neither yes nor no. */
export function adviseUnclear({ error = '' }: TokenAnswer): string {
  return UNCLEAR[error] ?? 'Check the application at the identity provider and try again.'
}

/**
 * What looks wrong with the credentials themselves. The values are looked at, and never told.
 *
 * @example
 * findSlips({ clientId: 'a', clientSecret: 'b ', redirectUri }) // [{ field: 'client_secret', message: 'It ends with a blank.' }]
 */
export function findSlips({ clientId, clientSecret }: ClientCredentials): readonly FieldError[] {
  const values = { client_id: clientId, client_secret: clientSecret }
  return Object.entries(values).flatMap(([field, value]) =>
    SLIPS.filter(({ pattern }) => pattern.test(value)).map(({ message }) => ({ field, message })),
  )
}

const SLIPS = [
  { pattern: /^\s/, message: 'It begins with a blank.' },
  { pattern: /\s$/, message: 'It ends with a blank.' },
  { pattern: /^(["'<]).*(["'>])$/s, message: 'It stands in quotes or brackets.' },
  { pattern: /[^\x20-\x7e\s]/, message: 'It holds a character that such values never have.' },
] as const
