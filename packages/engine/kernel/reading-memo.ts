// Lines of a log mostly differ from the one before only in their seconds. What the bytes up to the seconds mean is
// remembered here, and read again only when they change. Results never depend on it.

import { DAY_SECONDS, dayOf, fullYear, NO_DAY } from './reading-calendar'
import { FIELDS, field, HOUR, HOUR12, MINUTE } from './reading-fields'

/** Byte offsets into the memo: length of the prefix, where to go on, whether the minute is known, and so on. */
const MEMO_LENGTH: usize = 0
const MEMO_PC: usize = 4
const MEMO_HAS_MINUTE: usize = 8
const MEMO_MINUTE: usize = 16
const MEMO_PREFIX: usize = 32
const MEMO_MASK: usize = 64
const MEMO_FIELDS: usize = 96
const LONGEST_PREFIX: usize = 32

let memo: usize = 0

/** Says where the memo is. */
export function useMemo(address: usize): void {
  memo = address
}

/** Remembers nothing. */
export function forget(): void {
  store<u32>(memo, 0, MEMO_LENGTH)
}

/** How many bytes from `start` on are those that the memo remembers: its fields are then in place; or 0. */
@inline
export function recall(start: usize, end: usize): usize {
  const length = <usize>load<u32>(memo, MEMO_LENGTH)
  if (length == 0 || start + length > end || !isRemembered(start, length)) return 0
  for (let i: usize = 0; i < 64; i += 16) v128.store(FIELDS + i, v128.load(memo + MEMO_FIELDS + i))
  return length
}

/** The operation that goes on behind the remembered bytes. */
@inline
export function recalledOperation(): usize {
  return load<u32>(memo, MEMO_PC)
}

@inline
export function hasMinute(): bool {
  return load<u32>(memo, MEMO_HAS_MINUTE) == 1
}

/** Seconds since 1970 of the remembered minute. */
@inline
export function recalledMinute(): i64 {
  return load<i64>(memo, MEMO_MINUTE)
}

@inline
function isRemembered(start: usize, length: usize): bool {
  const first = v128.and(v128.xor(v128.load(start), v128.load(memo + MEMO_PREFIX)), v128.load(memo + MEMO_MASK))
  if (v128.any_true(first)) return false
  if (length <= 16) return true
  const more = v128.and(
    v128.xor(v128.load(start + 16), v128.load(memo + MEMO_PREFIX + 16)),
    v128.load(memo + MEMO_MASK + 16),
  )
  return !v128.any_true(more)
}

/** Remembers what the bytes before the seconds mean. It counts once the whole time was read: see `keep`. */
export function remember(pc: usize, start: usize, at: usize): usize {
  const length = at - start
  store<u32>(memo, 0, MEMO_LENGTH)
  if (length == 0 || length > LONGEST_PREFIX) return 0
  store<u32>(memo, <u32>pc, MEMO_PC)
  for (let i: usize = 0; i < 64; i += 16) v128.store(memo + MEMO_FIELDS + i, v128.load(FIELDS + i))
  v128.store(memo + MEMO_PREFIX, v128.load(start))
  v128.store(memo + MEMO_PREFIX + 16, v128.load(start + 16))
  for (let i: usize = 0; i < LONGEST_PREFIX; i++) store<u8>(memo + MEMO_MASK + i, i < length ? 0xff : 0)
  rememberMinute()
  return length
}

/** Where year, hour and minute are known already, the minute is known to the second. */
function rememberMinute(): void {
  store<u32>(memo, 0, MEMO_HAS_MINUTE)
  const year = fullYear()
  if (year < 0 || field(HOUR12) >= 0 || field(HOUR) < 0 || field(MINUTE) < 0) return
  const days = dayOf(year)
  if (days == NO_DAY || field(HOUR) > 23 || field(MINUTE) > 59) return
  store<u32>(memo, 1, MEMO_HAS_MINUTE)
  store<i64>(memo, days * DAY_SECONDS + <i64>(field(HOUR) * 3600 + field(MINUTE) * 60), MEMO_MINUTE)
}

/** The time was read to its end: what is remembered of it counts from now on. */
@inline
export function keep(length: usize): void {
  store<u32>(memo, <u32>length, MEMO_LENGTH)
}
