// The clock of a source: the highest timestamp seen so far.

/**
 * Writes to `clocks` what the clock shows at each of `count` timestamps, given what it showed before, and returns what it
 * shows after the last.
 */
export function raiseClock(timestamps: usize, count: u32, clocks: usize, before: i64): i64 {
  let clock = before
  for (let i: usize = 0, end: usize = (<usize>count) << 3; i < end; i += 8) {
    const timestamp = load<i64>(timestamps + i)
    clock = timestamp > clock ? timestamp : clock
    store<i64>(clocks + i, clock)
  }
  return clock
}
