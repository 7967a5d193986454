const MINUTE_MS = 60_000

/** How long a user may take at the identity provider. */
export const LOGIN_MS = 15 * MINUTE_MS

/** An unused session ends after this time. */
export const IDLE_MS = 12 * 60 * MINUTE_MS

/** Every session ends after this time. */
export const ABSOLUTE_MS = 7 * 24 * 60 * MINUTE_MS

/** Activity is recorded at most once in this time, so that not every request writes to the database. */
export const NOTE_MS = MINUTE_MS

/** How long a check with the identity provider is valid. */
export const CHECK_MS = 5 * MINUTE_MS

/** An identity provider that cannot be reached is asked again after this time. */
export const RETRY_CHECK_MS = MINUTE_MS / 2

/** Longer than a request to an identity provider can take. */
export const CLAIM_MS = MINUTE_MS / 4

/** How long a ticket from the sign-in host to the app's host is valid. */
export const HAND_OVER_MS = MINUTE_MS

export interface Lifetime {
  readonly seenAt: Date
  readonly expiresAt: Date
}

/**
 * Whether a session is alive: it was used within the idle limit and has not reached its end. Setting the clock back does not
 * extend a session beyond its absolute limit.
 *
 * @example
 * isAlive({ seenAt, expiresAt }, new Date())
 */
export function isAlive({ seenAt, expiresAt }: Lifetime, now: Date): boolean {
  return now < expiresAt && now.getTime() - seenAt.getTime() < IDLE_MS
}
