import { quote } from '@omen/engine/messages'
import { Problem } from '../problem.js'
import { checkClient } from './check-client.js'
import { FetchFailure } from './fetch-failure.js'
import {
  createGuardedFetch,
  type Document,
  type GuardedFetch,
  type GuardedFetchOptions,
  readJsonObject,
} from './guarded-fetch.js'
import type { Discovery, Provider } from './provider.js'
import { findKeyProblems } from './read-keys.js'
import { readProvider } from './read-provider.js'
import { issuerOf, suggestUrl } from './well-known-url.js'

/**
 * Reads and checks the configuration at a well-known URL, including its keys, and reports everything that is wrong at once.
 * Rejects with a `Problem` of code `discovery_failed`.
 *
 * @example
 * const provider = await discover('https://acme.okta.com/.well-known/openid-configuration', guarded)
 */
export async function discover(typed: string, guarded: GuardedFetch): Promise<Provider> {
  const url = await orProblem(`well_known_url ${showTyped(typed)} cannot be used`, async () => guarded.read(typed))
  const issuer = issuerOf(url)
  if (issuer === undefined) throw await explainOtherUrl(typed, guarded)
  const document = await orProblem(`The configuration at ${quote(url.href)} cannot be read`, () =>
    fetchDocument(url.href, guarded),
  )
  const { provider, findings } = readProvider(document, { wellKnownUrl: url.href, issuer, readUrl: guarded.read })
  const reached = await Promise.all([
    findUrlProblem('token_endpoint', provider.tokenEndpoint, guarded),
    findUrlProblem('userinfo_endpoint', provider.userinfoEndpoint ?? '', guarded),
    findJwksProblems(provider, guarded),
  ])
  const all = [...findings, ...reached.flat()]
  if (all.length > 0) throw describeFindings(url.href, all)
  return provider
}

async function fetchDocument(url: string, guarded: GuardedFetch): Promise<Document> {
  const response = await guarded.fetch(url)
  if (response.status === 200) return readJsonObject(response)
  throw new FetchFailure('unreachable', `it returned status ${response.status}`)
}

/** An empty URL was already reported by `readProvider`. */
async function findUrlProblem(field: string, url: string, guarded: GuardedFetch): Promise<readonly string[]> {
  if (url === '') return []
  return await orFinding(`${field} is ${quote(url)}: `, async () => {
    await guarded.check(url)
    return []
  })
}

async function findJwksProblems(provider: Provider, guarded: GuardedFetch): Promise<readonly string[]> {
  const { jwksUri, signingAlgorithms } = provider
  if (jwksUri === '') return []
  return await orFinding(`jwks_uri is ${quote(jwksUri)}: `, async () => {
    const document = await fetchDocument(jwksUri, guarded)
    if (signingAlgorithms.length === 0) return []
    return findKeyProblems(document, signingAlgorithms).map((problem) => `jwks_uri is ${quote(jwksUri)}: it ${problem}`)
  })
}

/** Guesses the well-known URL from another URL, and suggests it if it works. A guess is never used silently. */
async function explainOtherUrl(typed: string, guarded: GuardedFetch): Promise<Problem> {
  const start = `well_known_url ${quote(typed.trim())} is not a well-known URL: it must end in /.well-known/openid-configuration.`
  const suggestion = suggestUrl(new URL(typed.trim()).href)
  if (!suggestion.isComplete) return failed(`${start} Your URL probably looks like ${quote(suggestion.url)}.`)
  try {
    const issuer = issuerOf(guarded.read(suggestion.url)) ?? ''
    const document = await fetchDocument(suggestion.url, guarded)
    const origin = { wellKnownUrl: suggestion.url, issuer, readUrl: guarded.read }
    const [finding] = readProvider(document, origin).findings
    if (finding === undefined) return failed(`${start} Send ${quote(suggestion.url)} instead.`)
    return failed(`${start} There is a configuration at ${quote(suggestion.url)}, but it cannot be used: ${finding}.`)
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    const tried = `${quote(suggestion.url)} was tried: ${error.message}.`
    return failed(`${start} ${tried} Copy the URL from the settings of your identity provider.`, undefined, error)
  }
}

const CORRECT = 'Correct this at the identity provider, or send the URL of another identity provider.'

function describeFindings(url: string, findings: readonly string[]): Problem {
  const start = `The configuration at ${quote(url)}`
  const count = findings.length === 1 ? 'cannot be used' : `has ${findings.length} problems`
  return failed(`${start} ${count}: ${findings.join('; ')}. ${CORRECT}`, findings)
}

function failed(detail: string, messages: readonly string[] = [detail], cause?: unknown): Problem {
  const errors = messages.map((message) => ({ field: 'well_known_url', message }))
  return new Problem('discovery_failed', detail, { errors, ...(cause === undefined ? {} : { cause }) })
}

/** A URL with an @ may contain a password. */
function showTyped(typed: string): string {
  return typed.includes('@') ? '(not shown here)' : quote(typed.trim())
}

async function orProblem<T>(start: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    const { message, advice = 'Check the URL and try again.' } = error
    throw failed(`${start}: ${message}. ${advice}`, undefined, error)
  }
}

async function orFinding(start: string, work: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    return [`${start}${error.message}`]
  }
}

export interface DiscoveryOptions extends GuardedFetchOptions {
  /** Replaces the guarded fetch that the other options describe. */
  readonly fetch?: GuardedFetch
}

/**
 * Makes the client of the service for identity providers. It has no state, so calls may run concurrently.
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
