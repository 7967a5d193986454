// A time program is the compiled form of a time format: where in a line the time is, then what it looks like. It is a
// flat array of bytes, so that the interpreter in run.ts and its twin in kernel/reading-time.ts read the same bytes.
//
//   byte 0  LOCATE: how to find the places where a time may be
//        1  for `tokens` and `upto`: how many tokens go before it
//        2  for `key`: the length of the key
//        3  for `key`: 1 when the key must not follow a letter or a digit (`time=` is not in `uptime=`)
//        4  the key, then the operations

/** Places in a line. */
export const LOCATE = {
  /** At its start. */
  start: 0,
  /** After exactly n tokens, separated by spaces. */
  tokens: 1,
  /** At the start of one of the first n + 1 tokens, whichever is a time first. */
  upto: 2,
  /** After one of the occurrences of a key, whichever is a time first. */
  key: 3,
} as const

export const HEADER = 4

/**
 * Operations, each a byte followed by its arguments. A class is a count of ranges, then the first and last byte of
 * each range. Any operation may fail; a failure goes to the alternative that `either` has set, or there is no time here.
 */
export const OP = {
  /** Everything fits. */
  match: 0,
  /** n, bytes: exactly these. */
  bytes: 1,
  /** class: one of these. */
  one: 2,
  /** class: one of these or nothing. */
  optional: 3,
  /** class: any number of these. */
  many: 4,
  /** class: at least one of these. */
  some: 5,
  /** field, fewest digits, most digits. */
  number: 6,
  /** 1 when the rest of a longer name is skipped. */
  month: 7,
  /** 1 when the rest of a longer name is skipped. */
  weekday: 8,
  /** class of separators, or an empty one for digits that follow directly: a fraction of a second, or nothing. */
  fraction: 9,
  /** AM or PM, in either case. */
  meridiem: 10,
  /** ZONE flags. */
  zone: 11,
  /** UNIT, 1 when only the years 1990 to 2099 count. */
  epoch: 12,
  /** Two bytes, low one first: the distance to the alternative in the program. It is tried from the same place in the line. */
  either: 13,
  /** 0: no digit follows; 1: no letter, digit or underscore follows. */
  edge: 14,
  /** A TAI64N label without its @: 16 hexadecimal digits of seconds, 8 of nanoseconds. */
  tai: 15,
} as const

/** What a number is. */
export const FIELD = {
  year: 0,
  month: 1,
  day: 2,
  hour: 3,
  minute: 4,
  second: 5,
  yearDay: 6,
  shortYear: 7,
  hour12: 8,
  /** 1 for PM. */
  afternoon: 9,
  /** 1 when there was a zone; `offset` is then how many seconds it is ahead of UTC. */
  hasOffset: 10,
  offset: 11,
  nanos: 12,
  /** Seconds since 1970. */
  epoch: 13,
  /** Thousandths of a second, as a number. */
  millis: 14,
} as const

/** How a zone may be written. */
export const ZONE = {
  /** `+01:00` */
  colon: 1,
  /** `+0100` or `+01` */
  plain: 2,
  /** `Z` */
  z: 4,
  /** One of the names in zones.ts. */
  known: 8,
  /** Three to five capital letters; a name that is not in zones.ts counts as UTC. */
  any: 16,
  /** It may be missing. */
  optional: 32,
  /** Spaces may precede it. */
  space: 64,
} as const

/** The unit of an epoch; `any` goes by the number of its digits. The number is the digits of a fraction of a second. */
export const UNIT = { seconds: 0, millis: 3, micros: 6, nanos: 9, any: 255 } as const

/** Where the time is in a line, as the table of formats states it. */
export type Place = 'start' | { readonly tokens: number } | { readonly upto: number } | { readonly after: string }

/** Puts a header in front of operations. */
export function locate(place: Place, operations: readonly number[]): Uint8Array {
  if (place === 'start') return Uint8Array.of(LOCATE.start, 0, 0, 0, ...operations)
  if ('tokens' in place) return Uint8Array.of(LOCATE.tokens, place.tokens, 0, 0, ...operations)
  if ('upto' in place) return Uint8Array.of(LOCATE.upto, place.upto, 0, 0, ...operations)
  const key = new TextEncoder().encode(place.after)
  return Uint8Array.of(LOCATE.key, 0, key.length, isWordByte(key[0]) ? 1 : 0, ...key, ...operations)
}

export function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57
}

/** Letters, digits, the underscore, and every byte of a character outside ASCII. */
export function isWordByte(byte: number): boolean {
  const lower = byte | 32
  return (lower >= 97 && lower <= 122) || isDigit(byte) || byte === 95 || byte >= 128
}
