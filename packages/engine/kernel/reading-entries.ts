// Open and complete entries: the twin of src/scan/reading/entries.ts.

import { LONGEST, PARTIAL, REVIEW_AFTER, STATE } from './constants.generated'

/** Appends an entry to the arrays. */
@inline
export function emit(state: usize, start: usize, end: usize, line: u32, time: i64, flags: u32): void {
  const index = <usize>load<u32>(state, STATE.count << 2)
  if (!ASC_NO_ASSERT) assert(<u32>index < load<u32>(state, STATE.capacity << 2))
  store<u32>(state, <u32>index + 1, STATE.count << 2)
  store<u32>(<usize>load<u32>(state, STATE.starts << 2) + (index << 2), <u32>start)
  store<u32>(<usize>load<u32>(state, STATE.ends << 2) + (index << 2), <u32>end)
  store<u32>(<usize>load<u32>(state, STATE.lines << 2) + (index << 2), line)
  store<i64>(<usize>load<u32>(state, STATE.times << 2) + (index << 3), time)
  store<u8>(<usize>load<u32>(state, STATE.flags << 2) + index, <u8>flags)
}

@inline
export function emitOpen(state: usize): void {
  if (load<u32>(state, STATE.open << 2) == 0) return
  store<u32>(state, 0, STATE.open << 2)
  emit(
    state,
    load<u32>(state, STATE.openStart << 2),
    load<u32>(state, STATE.openEnd << 2),
    load<u32>(state, STATE.openLine << 2),
    load<i64>(state, STATE.openTime << 2),
    load<u32>(state, STATE.openFlags << 2),
  )
}

@inline
export function openEntry(state: usize, start: usize, end: usize, time: i64, flags: u32): void {
  store<u32>(state, 1, STATE.open << 2)
  store<u32>(state, 0, STATE.timeless << 2)
  store<u32>(state, REVIEW_AFTER, STATE.reviewAt << 2)
  store<u32>(state, <u32>start, STATE.openStart << 2)
  store<u32>(state, <u32>end, STATE.openEnd << 2)
  store<u32>(state, load<u32>(state, STATE.line << 2), STATE.openLine << 2)
  store<u32>(state, flags, STATE.openFlags << 2)
  store<i64>(state, time, STATE.openTime << 2)
}

export function addToOpen(state: usize, start: usize, end: usize, flags: u32): void {
  const textEnd = <usize>load<u32>(state, STATE.openEnd << 2)
  const free = <usize>LONGEST - (textEnd - <usize>load<u32>(state, STATE.openStart << 2))
  if (end - start + 1 > free) noteCut(state)
  if (free == 0) return
  const take = min(free - 1, end - start)
  store<u8>(textEnd, 10)
  if (textEnd + 1 != start) memory.copy(textEnd + 1, start, take)
  store<u32>(state, <u32>(textEnd + 1 + take), STATE.openEnd << 2)
  store<u32>(state, load<u32>(state, STATE.openFlags << 2) | flags, STATE.openFlags << 2)
}

export function noteCut(state: usize): void {
  if (load<u32>(state, STATE.cutLine << 2) == 0) store<u32>(state, load<u32>(state, STATE.line << 2), STATE.cutLine << 2)
}

/** The PARTIAL block of a stream of the container. */
@inline
export function partialOf(state: usize, stream: usize): usize {
  return state + (STATE.partials << 2) + (<usize>(PARTIAL.size << 2)) * stream
}

export function addToPartial(state: usize, partial: usize, start: usize, end: usize, time: i64, flags: u32): void {
  if (load<u32>(partial, PARTIAL.line << 2) == 0) {
    store<u32>(partial, load<u32>(state, STATE.line << 2), PARTIAL.line << 2)
    store<u32>(partial, 0, PARTIAL.length << 2)
    store<u32>(partial, 0, PARTIAL.flags << 2)
    store<i64>(partial, time, PARTIAL.time << 2)
  }
  const length = <usize>load<u32>(partial, PARTIAL.length << 2)
  const take = min(<usize>LONGEST - length, end - start)
  if (take < end - start) noteCut(state)
  memory.copy(<usize>load<u32>(partial, PARTIAL.text << 2) + length, start, take)
  store<u32>(partial, <u32>(length + take), PARTIAL.length << 2)
  store<u32>(partial, load<u32>(partial, PARTIAL.flags << 2) | flags, PARTIAL.flags << 2)
}

export function emitPartial(state: usize, partial: usize): void {
  const start = <usize>load<u32>(partial, PARTIAL.text << 2)
  emit(
    state,
    start,
    start + <usize>load<u32>(partial, PARTIAL.length << 2),
    load<u32>(partial, PARTIAL.line << 2),
    load<i64>(partial, PARTIAL.time << 2),
    load<u32>(partial, PARTIAL.flags << 2),
  )
  store<u32>(partial, 0, PARTIAL.line << 2)
}
