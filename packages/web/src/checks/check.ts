/**
 * What is known of a field while it is typed.
 *
 * `partial` can still become good by typing on, so it is not complained about before the field is left. `doubtful` is
 * sent if the administrator insists: the service has the last word. `bad` is not sent.
 */
export type Check =
  | { readonly state: 'empty' }
  | { readonly state: 'partial'; readonly message: string }
  | { readonly state: 'good'; readonly value: string; readonly message?: string }
  | { readonly state: 'doubtful'; readonly value: string; readonly message: string; readonly fix?: string }
  | { readonly state: 'bad'; readonly message: string; readonly fix?: string }

export const EMPTY: Check = { state: 'empty' }

export function good(value: string, message?: string): Check {
  return message === undefined ? { state: 'good', value } : { state: 'good', value, message }
}

export function bad(message: string, fix?: string): Check {
  return fix === undefined ? { state: 'bad', message } : { state: 'bad', message, fix }
}

export function partial(message: string): Check {
  return { state: 'partial', message }
}

export function doubtful(value: string, message: string, fix?: string): Check {
  return fix === undefined ? { state: 'doubtful', value, message } : { state: 'doubtful', value, message, fix }
}

/** What can be sent of a field, if it can be sent. */
export function sendable(check: Check): string | undefined {
  return check.state === 'good' || check.state === 'doubtful' ? check.value : undefined
}

/** The line below a field. */
export interface Notice {
  readonly tone: 'good' | 'doubtful' | 'bad'
  readonly text: string
  /** A value to offer in place of the typed one. */
  readonly fix?: string
}

export interface Situation {
  /** The field was left once, so what is half typed is no longer being typed. */
  readonly left: boolean
  /** Sending was tried. */
  readonly tried: boolean
  /** What the service says about this value. */
  readonly refused?: string | undefined
}

/**
 * Decides what a field says: at once when something is wrong for good, and only after a while when it is not finished.
 *
 * @example
 * noticeOf({ state: 'empty' }, { left: false, tried: true }) // { tone: 'bad', text: 'This is needed.' }
 */
export function noticeOf(check: Check, { left, tried, refused }: Situation): Notice | undefined {
  if (refused !== undefined) return { tone: 'bad', text: refused }
  switch (check.state) {
    case 'empty':
      return tried ? { tone: 'bad', text: 'This is needed.' } : undefined
    case 'partial':
      return left || tried ? { tone: 'bad', text: check.message } : undefined
    case 'good':
      return { tone: 'good', text: check.message ?? '' }
    case 'doubtful':
    case 'bad':
      return {
        tone: check.state,
        text: check.message,
        ...(check.fix !== undefined && { fix: check.fix }),
      }
  }
}

/**
 * Makes a sentence of what the service says about a field: `is missing` has the field's name in front of it there.
 *
 * @example
 * sentenceOf('E-mail domain', 'is missing') // 'E-mail domain is missing.'
 */
export function sentenceOf(label: string, message: string): string {
  const words = /^(is|has|must|may|cannot|can|needs|does|contains)\b/.test(message) ? `${label} ${message}` : message
  return /[.!?…”"]$/.test(words) ? words : `${words}.`
}
