import type { Service } from '../services/services.js'
import type { PostAnswer } from './post.js'

/** How a try ended. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** `wait` is how long the service asks to wait, in milliseconds. */
  | { readonly kind: 'failed'; readonly reason: string; readonly wait?: number }

/** What to do about an answer that another try cannot change. */
const ADVICE: Readonly<Record<number, string>> = {
  401: 'check notification.webhook',
  403: 'check notification.webhook',
  404: 'the webhook does not exist; make a new one and set notification.webhook',
  405: 'check notification.webhook and notification.type',
  410: 'the webhook was removed; make a new one and set notification.webhook',
}

/** As much of what a service says as fits into an error message. */
const LONGEST_QUOTE = 120

/** Judges an answer: delivered, refused for good, or worth another try. */
export function judgeAnswer(answer: PostAnswer, service: Service, secrets: readonly string[], now: number): Outcome {
  const { status, retryAfter, text } = answer
  const wait = readRetryAfter(retryAfter, now)
  const again = (reason: string): Outcome => ({ kind: 'failed', reason, ...(wait === undefined ? {} : { wait }) })
  if (status >= 200 && status < 300) {
    const complaint = service.complaint?.(text)
    if (complaint === undefined) return { kind: 'delivered' }
    return complaint.isPassing ? again(complaint.reason) : { kind: 'refused', reason: complaint.reason }
  }
  if (status >= 300 && status < 400) {
    const reason = `it answered with a redirect (HTTP ${status}); set notification.webhook to the final address`
    return { kind: 'refused', reason }
  }
  if (status >= 500 || status === 429 || status === 408) return again(`HTTP ${status}`)
  const parts = [`HTTP ${status}`, quote(text, secrets), ADVICE[status]]
  return { kind: 'refused', reason: parts.filter(Boolean).join('; ') }
}

/** What the service says about it, where that is short, plain and does not repeat the secret of the address. */
function quote(text: string, secrets: readonly string[]): string | undefined {
  const said = messageIn(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  if (said === '' || said.startsWith('<') || secrets.some((secret) => said.includes(secret))) return undefined
  return said.length <= LONGEST_QUOTE ? said : `${said.slice(0, LONGEST_QUOTE)}…`
}

function messageIn(text: string): string {
  try {
    const { message, error, detail } = JSON.parse(text) as Record<string, unknown>
    return [message, error, detail].find((part) => typeof part === 'string') ?? ''
  } catch {
    return text
  }
}

/** Longer waits than this are not waited. */
export const LONGEST_WAIT = 60_000

/**
 * Reads a `Retry-After` header, which is a number of seconds or a date, as milliseconds from now: at most a minute.
 * Undefined where it says nothing that can be understood.
 *
 * @example
 * readRetryAfter('3', Date.now())   // 3000
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  // Discord writes fractions of a second. A date begins with a day of the week; `Date.parse` alone would take a `-5`, too.
  const isSeconds = /^\d+(\.\d+)?$/.test(text)
  const wait = isSeconds ? Number(text) * 1000 : Date.parse(/^[A-Z][a-z]{2,8},? /.test(text) ? text : '') - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_WAIT)
}
