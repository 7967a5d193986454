export const DAY = 86_400

/** A time without a date belongs to the day that puts it last before this long after now. */
export const CLOCK_AHEAD = 3600

/**
 * The clocks on the wall where a log was written. Local times are seconds since 1970 as these clocks show them; moments are
 * seconds since 1970 in UTC.
 */
export interface WallClock {
  /** The latest moment that a time without a year may mean, for a time with a zone and for a local one. */
  readonly yearLimit: number
  readonly localYearLimit: number
  /** The latest local time that a time without a date may mean. */
  readonly localDayLimit: number
  /** The moment of a local time. */
  secondsOf(local: number): number
}

/** The latest moment for times without a year in a reading at `now`: seven days after it. */
export function yearLimit(now: Date): number {
  return Math.floor(now.getTime() / 1000) + 7 * DAY
}

/** The latest moment for times without a date in a reading whose year limit this is. */
export function dayLimit(limit: number): number {
  return limit - 7 * DAY + CLOCK_AHEAD
}

/** A clock that shows UTC. */
export function utcClock(limit: number): WallClock {
  return { yearLimit: limit, localYearLimit: limit, localDayLimit: dayLimit(limit), secondsOf: (local) => local }
}
