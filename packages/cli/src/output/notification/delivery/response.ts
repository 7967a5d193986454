import type { Service } from '../services/services.js'
import type { PostResponse } from './post.js'

/** The outcome of an attempt. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** `wait` is the time that the service asks to wait, in milliseconds. */
  | { readonly kind: 'failed'; readonly reason: string; readonly wait?: number }

/** What to do about an error that a retry cannot solve. */
const ADVICE: Readonly<Record<number, string>> = {
  401: 'check notification.webhook',
  403: 'check notification.webhook',
  404: 'the webhook does not exist; create a new one and set notification.webhook',
  405: 'check notification.webhook and notification.type',
  410: 'the webhook was removed; create a new one and set notification.webhook',
}

/** The longest part of a response that is quoted in a message. */
const LONGEST_QUOTE = 120

/** Classifies a response: delivered, refused permanently, or worth a retry. */
export function evaluateResponse(
  response: PostResponse,
  service: Service,
  secrets: readonly string[],
  now: number,
): Outcome {
  const { status, retryAfter, text } = response
  const wait = readRetryAfter(retryAfter, now)
  const retry = (reason: string): Outcome => ({ kind: 'failed', reason, ...(wait === undefined ? {} : { wait }) })
  if (status >= 200 && status < 300) {
    const rejection = service.rejection?.(text)
    if (rejection === undefined) return { kind: 'delivered' }
    return rejection.isTemporary ? retry(rejection.reason) : { kind: 'refused', reason: rejection.reason }
  }
  if (status >= 300 && status < 400) {
    const reason = `it responded with a redirect (HTTP ${status}); set notification.webhook to the final address`
    return { kind: 'refused', reason }
  }
  if (status >= 500 || status === 429 || status === 408) return retry(`HTTP ${status}`)
  const parts = [`HTTP ${status}`, errorMessage(text, secrets), ADVICE[status]]
  return { kind: 'refused', reason: parts.filter(Boolean).join('; ') }
}

/** The error message in a response, if it is plain text and does not repeat a secret of the address. */
function errorMessage(text: string, secrets: readonly string[]): string | undefined {
  const message = messageIn(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  if (message === '' || message.startsWith('<') || secrets.some((secret) => message.includes(secret))) return undefined
  return message.length <= LONGEST_QUOTE ? message : `${message.slice(0, LONGEST_QUOTE)}…`
}

function messageIn(text: string): string {
  try {
    const { message, error, detail } = JSON.parse(text) as Record<string, unknown>
    return [message, error, detail].find((part) => typeof part === 'string') ?? ''
  } catch {
    return text
  }
}

/** The longest wait. */
export const LONGEST_WAIT = 60_000

/**
 * Parses a `Retry-After` header, which is a number of seconds or a date, and returns milliseconds from now, at most a minute.
 * Undefined for an invalid value.
 *
 * @example
 * readRetryAfter('3', Date.now())   // 3000
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  // Discord sends fractions of a second. A date begins with a weekday; `Date.parse` alone would also accept `-5`.
  const isSeconds = /^\d+(\.\d+)?$/.test(text)
  const wait = isSeconds ? Number(text) * 1000 : Date.parse(/^[A-Z][a-z]{2,8},? /.test(text) ? text : '') - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_WAIT)
}
