import type { OpenedTransaction } from '@omen/server/api'
import type { ConnectedUrls } from '../client.js'
import type { ProviderId } from '../providers/guide.js'
import { buildWellKnownUrl, initialValue } from '../providers/placeholders.js'
import { guideOf } from '../providers/providers.js'

export interface Transaction {
  readonly id: string
  readonly signInUri: string
  /** In milliseconds since the epoch. */
  readonly expiresAt: number
}

/** The current step and everything that was entered. It survives a reload, so the client secret must not be part of it. */
export interface Progress {
  readonly step: Step
  readonly code: string
  readonly token: string
  readonly providerId: ProviderId | ''
  /** The values of placeholders in the well-known URL, by `<provider>.<placeholder>`. */
  readonly placeholders: Readonly<Record<string, string>>
  /** The well-known URL by provider, so that switching between providers loses nothing. */
  readonly wellKnownUrls: Readonly<Record<string, string>>
  readonly domain: string
  readonly orgName: string
  readonly transaction: Transaction | undefined
  /** The settings of step 3 that are ticked off. */
  readonly ticked: readonly string[]
  readonly clientId: string
  /** The client ID of the latest test sign-in. The result applies to this client only. */
  readonly testedClientId: string
  readonly completion: ConnectedUrls | undefined
  /** Whether another tab has opened a newer transaction with the same code. */
  readonly superseded: boolean
}

export const START: Progress = {
  step: 'code',
  code: '',
  token: '',
  providerId: '',
  placeholders: {},
  wellKnownUrls: {},
  domain: '',
  orgName: '',
  transaction: undefined,
  ticked: [],
  clientId: '',
  testedClientId: '',
  completion: undefined,
  superseded: false,
}

export type Change =
  | { readonly type: 'typed'; readonly field: 'code' | 'domain' | 'orgName' | 'clientId'; readonly text: string }
  | { readonly type: 'provider-chosen'; readonly id: ProviderId }
  | { readonly type: 'placeholder-typed'; readonly name: string; readonly text: string }
  | { readonly type: 'url-typed'; readonly text: string }
  | { readonly type: 'ticked'; readonly setting: string; readonly done: boolean }
  | { readonly type: 'code-exchanged'; readonly code: string; readonly token: string }
  | { readonly type: 'transaction-opened'; readonly opened: OpenedTransaction }
  | { readonly type: 'tested'; readonly clientId: string }
  | { readonly type: 'completed'; readonly completion: ConnectedUrls }
  | { readonly type: 'superseded' }
  | { readonly type: 'navigated'; readonly to: Step }
  | { readonly type: 'started-over'; readonly code: string }

/**
 * Applies a change to the progress. A change also selects the step, so no step is shown without the data that it needs.
 *
 * @example
 * advance(START, { type: 'code-exchanged', code: 'K7QF2M-9XTR4B', token }).step // 'provider'
 */
export function advance(progress: Progress, change: Change): Progress {
  switch (change.type) {
    case 'typed':
      return { ...progress, [change.field]: change.text }
    case 'provider-chosen':
      return withBuiltUrl({ ...progress, providerId: change.id }, progress.wellKnownUrls[change.id])
    case 'placeholder-typed': {
      const placeholders = { ...progress.placeholders, [`${progress.providerId}.${change.name}`]: change.text }
      return withBuiltUrl({ ...progress, placeholders }, undefined)
    }
    case 'url-typed':
      return withUrl(progress, change.text)
    case 'ticked': {
      const others = progress.ticked.filter((setting) => setting !== change.setting)
      return { ...progress, ticked: change.done ? [...others, change.setting] : others }
    }
    case 'code-exchanged':
      return exchanged(progress, change.code, change.token)
    case 'transaction-opened':
      return { ...opened(progress, change.opened), step: 'application', superseded: false }
    case 'tested':
      return { ...progress, testedClientId: change.clientId }
    case 'completed':
      // The token is no longer needed; nothing reusable must remain in the browser.
      return { ...progress, completion: change.completion, code: '', token: '', step: 'done', superseded: false }
    case 'superseded':
      return progress.completion === undefined ? { ...progress, superseded: true } : progress
    case 'navigated':
      return { ...progress, step: reachableStep(change.to, progress) }
    case 'started-over':
      return { ...START, code: change.code }
  }
}

/** The values of the chosen provider's placeholders, by name. */
export function typedPlaceholders({ providerId, placeholders }: Progress): Readonly<Record<string, string>> {
  return Object.fromEntries(
    guideOf(providerId).placeholders.map((placeholder) => [
      placeholder.name,
      placeholders[`${providerId}.${placeholder.name}`] ?? initialValue(placeholder),
    ]),
  )
}

export function wellKnownUrl({ providerId, wellKnownUrls }: Progress): string {
  return wellKnownUrls[providerId] ?? ''
}

function withUrl(progress: Progress, url: string): Progress {
  return { ...progress, wellKnownUrls: { ...progress.wellKnownUrls, [progress.providerId]: url } }
}

function withBuiltUrl(progress: Progress, known: string | undefined): Progress {
  const built = known ?? buildWellKnownUrl(guideOf(progress.providerId), typedPlaceholders(progress))
  return built === undefined ? progress : withUrl(progress, built)
}

/** A transaction belongs to the code that opened it, so another code drops it. */
function exchanged(progress: Progress, code: string, token: string): Progress {
  const before = readToken(progress.token)?.subject
  const sameCode = before !== undefined && before === readToken(token)?.subject
  const transaction = sameCode ? progress.transaction : undefined
  return { ...progress, code, token, transaction, step: 'provider', superseded: false }
}

/** Repeating the request returns the same transaction. Another one starts with no setting ticked. */
function opened(progress: Progress, { transaction_id, sign_in_uri, expires_at }: OpenedTransaction): Progress {
  const ticked = progress.transaction?.id === transaction_id ? progress.ticked : []
  const expiresAt = Date.parse(expires_at)
  return { ...progress, ticked, transaction: { id: transaction_id, signInUri: sign_in_uri, expiresAt } }
}

/** The steps in their order. `done` is the page after the four steps. */
export const STEPS = ['code', 'provider', 'application', 'credentials', 'done'] as const

export type Step = (typeof STEPS)[number]

/** The titles of the steps: `short` in the list of steps, `long` as heading. */
export const STEP_TITLES: Readonly<Record<Step, { readonly short: string; readonly long: string }>> = {
  code: { short: 'Code', long: 'Enter your code' },
  provider: { short: 'Identity provider', long: 'Choose your identity provider' },
  application: { short: 'Application', long: 'Create the application' },
  credentials: { short: 'Client and secret', long: 'Enter client ID and secret' },
  done: { short: 'Done', long: 'Your identity provider is connected' },
}

interface StepState {
  readonly token: string
  readonly transaction: unknown
  readonly completion: unknown
}

/**
 * The given step, or the last step before it whose data is there: step 2 needs a token, steps 3 and 4 need a transaction. After
 * completion, only `done` is reachable.
 *
 * @example
 * reachableStep('credentials', { token: '', transaction: undefined, completion: undefined }) // 'code'
 */
export function reachableStep(step: Step, { token, transaction, completion }: StepState): Step {
  if (completion !== undefined) return 'done'
  if (step === 'code' || token === '') return 'code'
  if (step === 'provider' || transaction === undefined) return 'provider'
  return step === 'done' ? 'credentials' : step
}

export function isStep(value: unknown): value is Step {
  return STEPS.some((step) => step === value)
}

export interface TokenFacts {
  /** The ID of the code. Tabs with the same subject are about the same set-up. */
  readonly subject: string
  /** In milliseconds since the epoch. */
  readonly expiresAt: number
}

/**
 * Reads the claims of an onboarding token that the page shows, without verifying it: the service does that. Returns undefined
 * for a token that cannot be decoded.
 *
 * @example
 * readToken(token)?.expiresAt // 1798761600000
 */
export function readToken(token: string): TokenFacts | undefined {
  const payload = token.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    if (typeof claims !== 'object' || claims === null || !('exp' in claims) || !('sub' in claims)) return undefined
    const { exp, sub } = claims
    return typeof exp === 'number' && Number.isFinite(exp) && typeof sub === 'string'
      ? { subject: sub, expiresAt: exp * 1000 }
      : undefined
  } catch {
    return undefined
  }
}

const CALLBACK = '/v1/auth/callback/'

/**
 * The initiate login URI that belongs to a sign-in URI. Both have the same base URL, which is taken from the sign-in URI where
 * that is possible.
 *
 * @example
 * loginUri('https://omen.example/v1/auth/callback/5b0e…', '') // 'https://omen.example/v1/auth/login'
 */
export function loginUri(signInUri: string, baseUrl: string): string {
  const end = signInUri.lastIndexOf(CALLBACK)
  return `${end > 0 ? signInUri.slice(0, end) : baseUrl}/v1/auth/login`
}
