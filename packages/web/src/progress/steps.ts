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
