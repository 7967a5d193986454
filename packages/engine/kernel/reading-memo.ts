// The memo: most times in a log differ from the one before only in their seconds. The memo has the bytes before the seconds
// and the fields they mean, so that they are parsed only when they change. Results do not depend on it.

import { DAY, FIELD, MEMO } from './constants.generated'
import { dayOf, fullYear, NO_DAY } from './reading-calendar'
import { FIELDS, field } from './reading-fields'

let memo: usize = 0

/** Sets the address of the memo. */
export function useMemo(address: usize): void {
  memo = address
}

/** Empties the memo. */
export function forget(): void {
  store<u32>(memo, 0, MEMO.length)
}

/** If the memo covers the bytes at `start`: loads its fields and returns the number of bytes. Otherwise returns 0. */
@inline
export function recall(start: usize, end: usize): usize {
  const length = <usize>load<u32>(memo, MEMO.length)
  if (length == 0 || start + length > end || !isRemembered(start, length)) return 0
  for (let i: usize = 0; i < 64; i += 16) v128.store(FIELDS + i, v128.load(memo + MEMO.fields + i))
  return length
}

/** The operation to continue with after the remembered bytes. */
@inline
export function recalledOperation(): usize {
  return load<u32>(memo, MEMO.pc)
}

@inline
export function hasMinute(): bool {
  return load<u32>(memo, MEMO.hasMinute) == 1
}

/** The local time of the remembered minute, in seconds. */
@inline
export function recalledMinute(): i64 {
  return load<i64>(memo, MEMO.minute)
}

@inline
function isRemembered(start: usize, length: usize): bool {
  const first = v128.and(v128.xor(v128.load(start), v128.load(memo + MEMO.prefix)), v128.load(memo + MEMO.mask))
  if (v128.any_true(first)) return false
  if (length <= 16) return true
  const more = v128.and(
    v128.xor(v128.load(start + 16), v128.load(memo + MEMO.prefix + 16)),
    v128.load(memo + MEMO.mask + 16),
  )
  return !v128.any_true(more)
}

/** Stores the bytes before the seconds and their fields; returns the number of bytes. `keep` makes it valid. */
export function remember(pc: usize, start: usize, at: usize): usize {
  const length = at - start
  store<u32>(memo, 0, MEMO.length)
  if (length == 0 || length > <usize>MEMO.longestPrefix) return 0
  store<u32>(memo, <u32>pc, MEMO.pc)
  for (let i: usize = 0; i < 64; i += 16) v128.store(memo + MEMO.fields + i, v128.load(FIELDS + i))
  v128.store(memo + MEMO.prefix, v128.load(start))
  v128.store(memo + MEMO.prefix + 16, v128.load(start + 16))
  for (let i: usize = 0; i < <usize>MEMO.longestPrefix; i++) store<u8>(memo + MEMO.mask + i, i < length ? 0xff : 0)
  rememberMinute()
  return length
}

/** Computes the start of the minute if year, hour and minute are known. */
function rememberMinute(): void {
  store<u32>(memo, 0, MEMO.hasMinute)
  const year = fullYear()
  if (year < 0 || field(FIELD.hour12) >= 0 || field(FIELD.hour) < 0 || field(FIELD.minute) < 0) return
  const days = dayOf(year)
  if (days == NO_DAY || field(FIELD.hour) > 23 || field(FIELD.minute) > 59) return
  store<u32>(memo, 1, MEMO.hasMinute)
  store<i64>(memo, days * <i64>DAY + <i64>(field(FIELD.hour) * 3600 + field(FIELD.minute) * 60), MEMO.minute)
}

/** Makes the memo valid after the whole time was read. */
@inline
export function keep(length: usize): void {
  store<u32>(memo, <u32>length, MEMO.length)
}
