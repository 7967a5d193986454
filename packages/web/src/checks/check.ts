/**
 * The state of a field while the user types.
 *
 * A `partial` value can still become good, so its message is shown only once the field loses focus. A `doubtful` value can
 * be submitted, because the service decides; a `bad` value cannot.
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

/** The value to submit, if there is one. */
export function sendable(check: Check): string | undefined {
  return check.state === 'good' || check.state === 'doubtful' ? check.value : undefined
}

/** The message below a field. */
export interface Notice {
  readonly tone: 'good' | 'doubtful' | 'bad'
  readonly text: string
  /** A corrected value to offer. */
  readonly fix?: string
}

export interface FieldState {
  /** The field has lost focus once, so an unfinished value is no longer being typed. */
  readonly blurred: boolean
  /** The user has tried to submit the form. */
  readonly submitted: boolean
  /** What the service says about this value. */
  readonly serverError?: string | undefined
}

/**
 * The message for a field: at once when the value cannot become good, and only after it lost focus when it is unfinished.
 *
 * @example
 * noticeFor({ state: 'empty' }, { blurred: false, submitted: true }) // { tone: 'bad', text: 'Required' }
 */
export function noticeFor(check: Check, { blurred, submitted, serverError }: FieldState): Notice | undefined {
  if (serverError !== undefined) return { tone: 'bad', text: serverError }
  switch (check.state) {
    case 'empty':
      return submitted ? { tone: 'bad', text: 'Required' } : undefined
    case 'partial':
      return blurred || submitted ? { tone: 'bad', text: check.message } : undefined
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
 * Turns a field error of the service into a sentence. A message such as `is missing` gets the label of the field as subject.
 *
 * @example
 * toSentence('E-mail domain', 'is missing') // 'E-mail domain is missing.'
 */
export function toSentence(label: string, message: string): string {
  const sentence = /^(is|has|must|may|cannot|can|needs|does|contains)\b/.test(message) ? `${label} ${message}` : message
  return /[.!?…”"]$/.test(sentence) ? sentence : `${sentence}.`
}
