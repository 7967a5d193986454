/** Decides when the filter's tables, made for one kind of text, no longer suit what is being read. */
export interface Tuning {
  /** Says what a run has cost, and returns whether the tables should be made anew from its text. */
  observe(bytes: number, alarms: number): boolean
  /** Says that the tables were made anew, for whatever reason. */
  restart(): void
}

/** Alarms per byte that are not worth a thought: one group of 16 bytes in 32 costs a tenth of the filter's speed. */
const BEARABLE = 1 / (16 * 32)
/** How much worse than just after the last time it must have become. */
const WORSE = 2
/** A run shorter than this proves nothing. */
const LEAST_BYTES = 65_536
/** Making the tables takes as long as filtering some megabytes, so that is how long they are kept at least. */
const PATIENCE = 4 * 1024 * 1024
/** Where it never helps, the tables are still tried anew, but ever more rarely: in time that does not count. */
const GROWTH = 4

/**
 * Starts with tables that were just made.
 *
 * @example
 * const tuning = createTuning()
 * if (tuning.observe(text.length, falseAlarms)) remakeTables(text)
 */
export function createTuning(): Tuning {
  let patience = PATIENCE
  let bytesSince = 0
  /** Alarms per byte in the first run with the present tables. */
  let usual = Number.NaN
  function restart(): void {
    bytesSince = 0
    usual = Number.NaN
  }
  return {
    observe(bytes, alarms) {
      if (bytes < LEAST_BYTES) return false
      const rate = alarms / bytes
      if (Number.isNaN(usual)) usual = rate
      bytesSince += bytes
      if (bytesSince < patience || rate < Math.max(BEARABLE, WORSE * usual)) return false
      patience *= GROWTH
      restart()
      return true
    },
    restart,
  }
}
