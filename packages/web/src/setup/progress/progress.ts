import type { Completion, OpenedTransaction } from '../messages.js'
import type { ProviderId } from '../providers/guide.js'
import { fillBlanks, initialBlank } from '../providers/placeholders.js'
import { guideOf } from '../providers/providers.js'

/** A transaction lives for 48 hours. */
export const TRANSACTION_LIFE = 48 * 3_600_000

export interface Transaction {
  readonly id: string
  readonly signInUri: string
  /** In milliseconds, by the clock of this browser. */
  readonly expiresAt: number
}

/** How far an administrator has come, and what was typed. All of it is kept over a reload; the client secret is no part of it. */
export interface Progress {
  readonly step: Step
  readonly code: string
  readonly token: string
  readonly providerId: ProviderId | ''
  /** What was typed to build a well-known URL, by `<provider>.<blank>`. */
  readonly blanks: Readonly<Record<string, string>>
  /** The well-known URL for each provider that was looked at: nothing is lost by trying another. */
  readonly wellKnownUrls: Readonly<Record<string, string>>
  readonly domain: string
  readonly orgName: string
  readonly transaction: Transaction | undefined
  /** Settings of step 3 that are done. */
  readonly ticked: readonly string[]
  readonly clientId: string
  /** The client of the latest test sign-in: its result says nothing about another. */
  readonly testedClientId: string
  readonly completion: Completion | undefined
  /** Another tab has opened a newer transaction with the same code. */
  readonly superseded: boolean
}

export const START: Progress = {
  step: 'code',
  code: '',
  token: '',
  providerId: '',
  blanks: {},
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
  | { readonly type: 'blank-typed'; readonly name: string; readonly text: string }
  | { readonly type: 'url-typed'; readonly text: string }
  | { readonly type: 'ticked'; readonly setting: string; readonly done: boolean }
  | { readonly type: 'code-exchanged'; readonly code: string; readonly token: string }
  | { readonly type: 'transaction-opened'; readonly opened: OpenedTransaction; readonly now: number }
  | { readonly type: 'tested'; readonly clientId: string }
  | { readonly type: 'completed'; readonly completion: Completion }
  | { readonly type: 'superseded' }
  | { readonly type: 'went'; readonly to: Step }
  | { readonly type: 'started-over'; readonly code: string }

/**
 * What a change makes of the progress. Moving on is part of the change, so that no step can be shown without what it needs.
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
    case 'blank-typed': {
      const blanks = { ...progress.blanks, [`${progress.providerId}.${change.name}`]: change.text }
      return withBuiltUrl({ ...progress, blanks }, undefined)
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
      return { ...opened(progress, change.opened, change.now), step: 'application', superseded: false }
    case 'tested':
      return { ...progress, testedClientId: change.clientId }
    case 'completed':
      // The token has done its work: nothing that could be used again stays behind.
      return { ...progress, completion: change.completion, code: '', token: '', step: 'done', superseded: false }
    case 'superseded':
      return progress.completion === undefined ? { ...progress, superseded: true } : progress
    case 'went':
      return { ...progress, step: reachable(change.to, progress) }
    case 'started-over':
      return { ...START, code: change.code }
  }
}

/** What was typed into the blanks of the chosen provider. */
export function typedBlanks({ providerId, blanks }: Progress): Readonly<Record<string, string>> {
  return Object.fromEntries(
    guideOf(providerId).blanks.map((blank) => [
      blank.name,
      blanks[`${providerId}.${blank.name}`] ?? initialBlank(blank),
    ]),
  )
}

export function wellKnownUrl({ providerId, wellKnownUrls }: Progress): string {
  return wellKnownUrls[providerId] ?? ''
}

function withUrl(progress: Progress, url: string): Progress {
  return { ...progress, wellKnownUrls: { ...progress.wellKnownUrls, [progress.providerId]: url } }
}

function withBuiltUrl(progress: Progress, kept: string | undefined): Progress {
  const built = kept ?? fillBlanks(guideOf(progress.providerId), typedBlanks(progress))
  return built === undefined ? progress : withUrl(progress, built)
}

/** A transaction belongs to the code that opened it: with another code, it is somebody else's. */
function exchanged(progress: Progress, code: string, token: string): Progress {
  const before = readToken(progress.token)?.subject
  const sameCode = before !== undefined && before === readToken(token)?.subject
  const transaction = sameCode ? progress.transaction : undefined
  return { ...progress, code, token, transaction, step: 'provider', superseded: false }
}

/** The same request twice gives the same transaction, whose 48 hours began with the first. */
function opened(
  progress: Progress,
  { transaction_id, sign_in_uri, expires_at }: OpenedTransaction,
  now: number,
): Progress {
  const told = Date.parse(expires_at ?? '')
  const before = progress.transaction?.id === transaction_id ? progress.transaction.expiresAt : now + TRANSACTION_LIFE
  const expiresAt = Number.isFinite(told) ? told : before
  const ticked = progress.transaction?.id === transaction_id ? progress.ticked : []
  return { ...progress, ticked, transaction: { id: transaction_id, signInUri: sign_in_uri, expiresAt } }
}

/** The steps in their order. `done` is no step of its own: it is what comes after the fourth. */
export const STEPS = ['code', 'provider', 'application', 'credentials', 'done'] as const

export type Step = (typeof STEPS)[number]

/** What the list of steps shows. */
export const STEP_TITLES: Readonly<Record<Step, { readonly short: string; readonly long: string }>> = {
  code: { short: 'Code', long: 'Enter your code' },
  provider: { short: 'Identity provider', long: 'Name your identity provider' },
  application: { short: 'Application', long: 'Create the application' },
  credentials: { short: 'Client and secret', long: 'Enter client ID and secret' },
  done: { short: 'Done', long: 'Your identity provider is connected' },
}

interface Held {
  readonly token: string
  readonly transaction: unknown
  readonly completion: unknown
}

/**
 * The step itself, or the last one before it that makes sense with what is held: step 2 needs a token, steps 3 and 4 need a
 * transaction, and once all is completed there is no way back.
 *
 * @example
 * reachable('credentials', { token: '', transaction: undefined, completion: undefined }) // 'code'
 */
export function reachable(step: Step, { token, transaction, completion }: Held): Step {
  if (completion !== undefined) return 'done'
  if (step === 'code' || token === '') return 'code'
  if (step === 'provider' || transaction === undefined) return 'provider'
  return step === 'done' ? 'credentials' : step
}

export function isStep(value: unknown): value is Step {
  return STEPS.some((step) => step === value)
}

export interface TokenFacts {
  /** The code's record, by which two tabs know that they are about the same set-up. */
  readonly subject: string
  /** When the token ends, in milliseconds. */
  readonly expiresAt: number
}

/**
 * Reads what the page shows of an onboarding token. Its signature is the service's business; an unreadable one gives
 * `undefined`, and the service will say so.
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
 * The initiate login URI that belongs to a sign-in URI: both stand below the same base URL, which the sign-in URI tells
 * better than any guess.
 *
 * @example
 * loginUri('https://omen.example/v1/auth/callback/5b0e…', '') // 'https://omen.example/v1/auth/login'
 */
export function loginUri(signInUri: string, baseUrl: string): string {
  const end = signInUri.lastIndexOf(CALLBACK)
  return `${end > 0 ? signInUri.slice(0, end) : baseUrl}/v1/auth/login`
}
