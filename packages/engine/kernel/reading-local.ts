// Moments of local times: the twin of `streamClock` in src/scan/reading/local-time.ts.

import { LOCAL, SECOND_PASS } from './constants.generated'

/** The host fills in the stretch around a local time. */
@external("env", "findStretch")
declare function findStretch(block: usize, local: i64): void

/** The host fills in the latest local times for times without a year and without a date. */
@external("env", "findLimits")
declare function findLimits(block: usize): void

let block: usize = 0

/** The LOCAL block before the last time, if it has moved since `watchLocal`. */
const BEFORE: usize = memory.data(64, 16)
let hasMoved: bool = false

/** From here on the LOCAL block can be restored. */
@inline
export function watchLocal(): void {
  hasMoved = false
}

/** Restores the LOCAL block, because the time that moved it is not used. */
export function restoreLocal(): void {
  if (hasMoved) memory.copy(block, BEFORE, 64)
  hasMoved = false
}

function keepLocal(): void {
  if (!hasMoved) memory.copy(BEFORE, block, 64)
  hasMoved = true
}

/** Sets the address of the LOCAL block. */
export function useLocal(address: usize): void {
  block = address
}

/** Seconds since 1970 of a local time. */
@inline
export function secondsOf(local: i64): i64 {
  if (local < load<i64>(block, LOCAL.from << 2) || local >= load<i64>(block, LOCAL.to << 2)) {
    keepLocal()
    findStretch(block, local)
  }
  const offset = <i64>load<i32>(block, LOCAL.offset << 2)
  const second = <i64>load<i32>(block, LOCAL.secondOffset << 2)
  return offset == second ? local - offset : secondsOfRepeated(local, offset, second)
}

function secondsOfRepeated(local: i64, offset: i64, second: i64): i64 {
  keepLocal()
  const latest = load<i64>(block, LOCAL.latest << 2)
  if (latest - local > min(<i64>SECOND_PASS, (offset - second) >> 1)) store<u32>(block, 1, LOCAL.isSecond << 2)
  if (local > latest) store<i64>(block, local, LOCAL.latest << 2)
  return local - (load<u32>(block, LOCAL.isSecond << 2) == 1 ? second : offset)
}

/** The latest local time of a time without a year. */
export function localYearLimit(): i64 {
  if (load<u32>(block, LOCAL.hasLimits << 2) == 0) findLimits(block)
  return load<i64>(block, LOCAL.yearLimit << 2)
}

/** The latest local time of a time without a date. */
export function localDayLimit(): i64 {
  if (load<u32>(block, LOCAL.hasLimits << 2) == 0) findLimits(block)
  return load<i64>(block, LOCAL.dayLimit << 2)
}
