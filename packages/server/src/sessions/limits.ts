const MINUTE_MS = 60_000

/** How long a person may take at the identity provider. */
export const LOGIN_MS = 15 * MINUTE_MS

/** A session that nobody uses ends after this long, for good. */
export const IDLE_MS = 12 * 60 * MINUTE_MS

/** However much it is used, a session ends after this long. */
export const ABSOLUTE_MS = 7 * 24 * 60 * MINUTE_MS

/** Activity is noted when the last note is older than this: a write for each request would cost more than the request. */
export const NOTE_MS = MINUTE_MS

/** The word of the identity provider counts for this long. */
export const CHECK_MS = 5 * MINUTE_MS

/** An identity provider that cannot be reached is asked again after this long, not by every request. */
export const RETRY_CHECK_MS = MINUTE_MS / 2

/** Longer than a request to an identity provider can take. */
export const CLAIM_MS = MINUTE_MS / 4

/** From one host of ours to the other. */
export const HAND_OVER_MS = MINUTE_MS

export interface Lifetime {
  readonly seenAt: Date
  readonly expiresAt: Date
}

/**
 * Whether a session still counts: it was used within the idle limit, and its time is not over. A clock that was set back makes
 * no session longer than its absolute limit.
 *
 * @example
 * isAlive({ seenAt, expiresAt }, new Date())
 */
export function isAlive({ seenAt, expiresAt }: Lifetime, now: Date): boolean {
  return now < expiresAt && now.getTime() - seenAt.getTime() < IDLE_MS
}
