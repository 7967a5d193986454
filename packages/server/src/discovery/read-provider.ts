import { quote, quoteAll } from '@omen/engine/messages'
import type { Document } from './guarded-fetch.js'
import type { ClientAuthMethod, Provider } from './provider.js'
import { ALGORITHMS } from './read-keys.js'
import { isSameIssuer, suggestForIssuer, wellKnownUrlOf } from './well-known-url.js'

/** The supported authentication methods of a client, in the order in which they are tried: the standard prefers the first. */
const METHODS: readonly ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post']

export interface ReadProvider {
  readonly provider: Provider
  /** Why the provider cannot be used; each finding names the published value. */
  readonly findings: readonly string[]
}

export interface Origin {
  readonly wellKnownUrl: string
  /** The issuer that the URL belongs to. */
  readonly issuer: string
  /** Throws an error, with the reason as its message, for a URL that the service must not request. */
  readonly readUrl: (url: string) => URL
}

/**
 * Reads an OpenID configuration or an OAuth authorization server's metadata (RFC 8414) and reports everything that is
 * wrong with it. Absent members have the defaults of the standard.
 *
 * @example
 * const { provider, findings } = readProvider(document, { wellKnownUrl, issuer, readUrl })
 */
export function readProvider(document: Document, origin: Origin): ReadProvider {
  const findings: string[] = []
  const reader = createReader(document, origin, findings)
  checkIssuer(document.issuer, origin, findings)
  const required = {
    authorizationEndpoint: reader.url('authorization_endpoint', true) ?? '',
    tokenEndpoint: reader.url('token_endpoint', true) ?? '',
    jwksUri: reader.url('jwks_uri', true) ?? '',
  }
  const userinfoEndpoint = reader.url('userinfo_endpoint', false)
  const endSessionEndpoint = reader.url('end_session_endpoint', false)
  const scopes = reader.list('scopes_supported')
  checkCodeFlow(reader, findings)
  const provider: Provider = {
    issuer: typeof document.issuer === 'string' ? document.issuer : '',
    ...required,
    ...(userinfoEndpoint === undefined ? {} : { userinfoEndpoint }),
    ...(endSessionEndpoint === undefined ? {} : { endSessionEndpoint }),
    clientAuthMethods: chooseMethods(reader, findings),
    signingAlgorithms: chooseAlgorithms(reader, findings),
    ...(scopes === undefined ? {} : { scopes }),
    sendsIssuer: document.authorization_response_iss_parameter_supported === true,
    wellKnownUrl: origin.wellKnownUrl,
  }
  return { provider, findings }
}

type Reader = ReturnType<typeof createReader>

/** Reads members by type. Null and empty strings count as absent, because some providers send them. */
function createReader(document: Document, { readUrl }: Origin, findings: string[]) {
  const isAbsent = (value: unknown) => value === undefined || value === null || value === ''
  return {
    url(field: string, isRequired: boolean): string | undefined {
      const value = document[field]
      if (isAbsent(value)) {
        if (isRequired) findings.push(`${field} is missing`)
        return undefined
      }
      if (typeof value !== 'string') {
        findings.push(`${field} is ${quote(value)}, not a URL`)
        return undefined
      }
      try {
        readUrl(value)
        return value
      } catch (error) {
        findings.push(`${field} is ${quote(value)}: ${error instanceof Error ? error.message : 'it cannot be used'}`)
        return undefined
      }
    },
    list(field: string): readonly string[] | undefined {
      const value = document[field]
      if (isAbsent(value)) return undefined
      if (!Array.isArray(value)) {
        findings.push(`${field} is ${quote(value)}, not a list`)
        return undefined
      }
      const strings = value.filter((entry) => typeof entry === 'string')
      return strings.length === 0 ? undefined : strings
    },
  }
}

function checkIssuer(issuer: unknown, { issuer: expected, wellKnownUrl, readUrl }: Origin, findings: string[]): void {
  if (issuer === undefined) return void findings.push('issuer is missing')
  if (typeof issuer !== 'string') return void findings.push(`issuer is ${quote(issuer)}, not a URL`)
  if (/\{[^{}]*\}/.test(issuer)) {
    const suggestion = suggestForIssuer(issuer)
    return void findings.push(
      `issuer is ${quote(issuer)}, a template for many tenants; use the URL of your own tenant: ${quote(suggestion)}`,
    )
  }
  const url = readIssuer(issuer, readUrl)
  if (url !== undefined && isSameIssuer(url, expected)) return
  const suggestion = suggestForIssuer(issuer)
  // Some endpoints, such as Entra ID's for consumers, publish an issuer with a usable URL. The same URL again is not a suggestion.
  const help =
    url === undefined || suggestion === wellKnownUrl || suggestion === wellKnownUrlOf(expected)
      ? ''
      : `; if that is your issuer, use ${quote(suggestion)}`
  findings.push(`issuer is ${quote(issuer)}, but the URL belongs to the issuer ${quote(expected)}${help}`)
}

/** An issuer is a URL without query and fragment. */
function readIssuer(issuer: string, readUrl: Origin['readUrl']): URL | undefined {
  try {
    return /[?#]/.test(issuer) ? undefined : readUrl(issuer)
  } catch {
    return undefined
  }
}

function checkCodeFlow(reader: Reader, findings: string[]): void {
  for (const { field, value, what } of CODE_FLOW) {
    const offered = reader.list(field)
    if (offered === undefined || offered.includes(value)) continue
    findings.push(`${field} is ${quoteAll(offered)}, without ${quote(value)}: ${what}`)
  }
}

/** What the authorization code flow requires, if the provider publishes what it offers. */
const CODE_FLOW = [
  { field: 'response_types_supported', value: 'code', what: 'the authorization code flow is required' },
  { field: 'grant_types_supported', value: 'authorization_code', what: 'the authorization code flow is required' },
  { field: 'code_challenge_methods_supported', value: 'S256', what: 'PKCE with S256 is required' },
] as const

function chooseMethods(reader: Reader, findings: string[]): readonly ClientAuthMethod[] {
  const field = 'token_endpoint_auth_methods_supported'
  const offered = reader.list(field)
  if (offered === undefined) return ['client_secret_basic']
  const methods = METHODS.filter((method) => offered.includes(method))
  if (methods.length === 0) findings.push(`${field} is ${quoteAll(offered)}, without any of ${quoteAll(METHODS)}`)
  return methods
}

function chooseAlgorithms(reader: Reader, findings: string[]): readonly string[] {
  const field = 'id_token_signing_alg_values_supported'
  const offered = reader.list(field)
  if (offered === undefined) return ['RS256']
  const algorithms = [...new Set(offered)].filter((algorithm) => Object.hasOwn(ALGORITHMS, algorithm))
  if (algorithms.length === 0) {
    findings.push(`${field} is ${quoteAll(offered)}, without a supported algorithm such as "RS256"`)
  }
  return algorithms
}
