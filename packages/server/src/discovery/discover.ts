import { quote } from '@omen/engine/messages'
import { Problem } from '../problem.js'
import { FetchFailure } from './fetch-failure.js'
import type { GuardedFetch } from './guarded-fetch.js'
import type { Provider } from './provider.js'
import { type Document, readJsonObject } from './read-json.js'
import { findKeyProblems } from './read-keys.js'
import { readProvider } from './read-provider.js'
import { suggestUrl } from './suggest-url.js'
import { issuerOf } from './well-known-url.js'

/**
 * Reads and checks the configuration that stands at a well-known URL, its keys included, and finds all that is wrong with it
 * before it complains. Rejects with a `Problem` of code `discovery_failed`.
 *
 * @example
 * const provider = await discover('https://acme.okta.com/.well-known/openid-configuration', guarded)
 */
export async function discover(text: string, guarded: GuardedFetch): Promise<Provider> {
  const url = await orProblem(`well_known_url ${showGiven(text)} cannot be used`, async () => guarded.read(text))
  const issuer = issuerOf(url)
  if (issuer === undefined) throw await explainPaste(text, guarded)
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
  const answer = await guarded.fetch(url)
  if (answer.status === 200) return readJsonObject(answer)
  throw new FetchFailure('unreachable', `it answers with status ${answer.status}`)
}

/** What was not readable is found already, and left out here. */
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

/** A URL that is not a well-known one can still tell what was meant. That is tried, and told; it is never used silently. */
async function explainPaste(text: string, guarded: GuardedFetch): Promise<Problem> {
  const start = `well_known_url ${quote(text.trim())} is not the URL of a configuration: those end in /.well-known/openid-configuration.`
  const suggestion = suggestUrl(new URL(text.trim()).href)
  if (!suggestion.isComplete) return failed(`${start} Yours looks like ${quote(suggestion.url)}.`)
  try {
    const issuer = issuerOf(guarded.read(suggestion.url)) ?? ''
    const document = await fetchDocument(suggestion.url, guarded)
    const origin = { wellKnownUrl: suggestion.url, issuer, readUrl: guarded.read }
    const [finding] = readProvider(document, origin).findings
    if (finding === undefined) return failed(`${start} There is one at ${quote(suggestion.url)}: send that.`)
    return failed(`${start} There is one at ${quote(suggestion.url)}, which cannot be used: ${finding}.`)
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    const tried = `${quote(suggestion.url)} was tried: ${error.message}.`
    return failed(`${start} ${tried} Copy the URL from the settings of your identity provider.`, undefined, error)
  }
}

const CORRECT = 'Correct this at the identity provider, or send the URL of another one.'

function describeFindings(url: string, findings: readonly string[]): Problem {
  const start = `The configuration at ${quote(url)}`
  const count = findings.length === 1 ? 'cannot be used' : `has ${findings.length} problems`
  return failed(`${start} ${count}: ${findings.join('; ')}. ${CORRECT}`, findings)
}

function failed(detail: string, messages: readonly string[] = [detail], cause?: unknown): Problem {
  const errors = messages.map((message) => ({ field: 'well_known_url', message }))
  return new Problem('discovery_failed', detail, { errors, ...(cause === undefined ? {} : { cause }) })
}

/** A text with an at sign may hold a password. */
function showGiven(text: string): string {
  return text.includes('@') ? '(not shown here)' : quote(text.trim())
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
