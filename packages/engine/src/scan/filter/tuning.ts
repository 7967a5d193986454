/** Decides when the filter's tables must be filled again because the text has changed. */
export interface Tuning {
  /** Records the cost of a run; returns whether the tables should be filled again from its text. */
  observe(bytes: number, falsePositives: number): boolean
  /** Records that the tables were filled. */
  restart(): void
}

/** Below this rate of false positives per byte nothing is done: one group of 16 bytes in 32 costs a tenth of the speed. */
const TOLERATED = 1 / (16 * 32)
/** The rate must have grown by this factor since the tables were filled. */
const WORSE = 2
/** Shorter runs are ignored. */
const LEAST_BYTES = 65_536
/** Filling the tables takes as long as filtering some megabytes, so they are kept at least this long. */
const KEPT_BYTES = 4 * 1024 * 1024
/** Each time the tables are filled again this period grows, so the total cost stays small if it never helps. */
const GROWTH = 4

/**
 * Starts with tables that were just filled.
 *
 * @example
 * const tuning = createTuning()
 * if (tuning.observe(text.length, falsePositives)) fillTables(text)
 */
export function createTuning(): Tuning {
  let keptBytes = KEPT_BYTES
  let bytesSince = 0
  /** False positives per byte in the first run with the current tables. */
  let usual = Number.NaN
  function restart(): void {
    bytesSince = 0
    usual = Number.NaN
  }
  return {
    observe(bytes, falsePositives) {
      if (bytes < LEAST_BYTES) return false
      const rate = falsePositives / bytes
      if (Number.isNaN(usual)) usual = rate
      bytesSince += bytes
      if (bytesSince < keptBytes || rate < Math.max(TOLERATED, WORSE * usual)) return false
      keptBytes *= GROWTH
      restart()
      return true
    },
    restart,
  }
}
