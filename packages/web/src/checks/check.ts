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
