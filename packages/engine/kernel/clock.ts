import { CLOCK } from './constants.generated'

/**
 * Takes the timestamps of `count` entries: writes to `times` when each of them is delivered, and to the state block what it has
 * found. An entry is delivered at its timestamp; one that is late or ignored, at the highest timestamp so far. The timestamps
 * of ignored entries are replaced by the lowest possible one.
 */
export function takeTimes(state: usize, timestamps: usize, count: u32, times: usize): void {
  const since = load<i64>(state, CLOCK.since)
  const until = load<i64>(state, CLOCK.until)
  const window = load<i64>(state, CLOCK.window)
  const floor = load<i64>(state, CLOCK.floor)
  let now = load<i64>(state, CLOCK.now)
  let first = i64.MAX_VALUE
  let last = i64.MIN_VALUE
  let lateBy: u64 = 0
  let ignored: u32 = 0
  let late: u32 = 0
  let behind: u32 = 0
  for (let i: usize = 0, end: usize = (<usize>count) << 3; i < end; i += 8) {
    const timestamp = load<i64>(timestamps + i)
    let time = now
    first = min(first, timestamp)
    last = max(last, timestamp)
    if (timestamp < since || timestamp > until) {
      ignored++
      store<i64>(timestamps + i, i64.MIN_VALUE)
    } else {
      if (timestamp >= now) now = time = timestamp
      else {
        behind++
        // The difference of two signed values always fits an unsigned one.
        const by = <u64>(now - timestamp)
        if (by > <u64>window || timestamp < floor) {
          late++
          lateBy = max(lateBy, by)
        } else time = timestamp
      }
    }
    store<i64>(times + i, time)
  }
  store<i64>(state, now, CLOCK.now)
  store<i64>(state, first, CLOCK.first)
  store<i64>(state, last, CLOCK.last)
  store<i64>(state, <i64>min(lateBy, <u64>i64.MAX_VALUE), CLOCK.lateBy)
  store<u32>(state, count - ignored, CLOCK.inRange)
  store<u32>(state, late, CLOCK.late)
  store<u32>(state, behind - late, CLOCK.stragglers)
}
