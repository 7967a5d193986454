// The numbers that the kernel's reading loop (kernel/reading.ts) and its TypeScript twin (reading/plain.ts) share. Between
// two calls everything is kept in the state block, so either of them can continue where the other stopped.
// scripts/build-kernel.mjs writes kernel/constants.generated.ts from the exports of this file, so it exports only numbers
// and objects of numbers.

export {
  FIRST_PLAUSIBLE,
  LAST_PLAUSIBLE,
  LAST_SECOND,
  TAI_AHEAD,
} from '../../time/fields.js'
export { FIRST_YEAR, LAST_YEAR } from '../../time/finish.js'
export { FIELD, HEADER, LOCATE, OP, UNIT, ZONE } from '../../time/program.js'
export { CLOCK_AHEAD, DAY } from '../../time/wall-clock.js'

/** How the text of an entry is taken from its line. */
export const KIND = {
  /** No line has a time: each line is an entry with the time at which it was read. */
  none: 0,
  /** The whole line, and the lines after it that have no time. */
  whole: 1,
  /** The same without an RFC 3339 time at the start and the space after it. */
  rest: 2,
  cri: 3,
  docker: 4,
} as const

/** What the reading loop needs next when it returns. */
export const WANTS = {
  /** More bytes. */
  bytes: 0,
  /** The entries must be taken out of the arrays; then it can be called again. */
  delivery: 1,
  /** The format must be checked: many lines in a row had no time. */
  review: 2,
  /** Only inside the loop: the entries must be delivered before this line is taken. */
  deliveryFirst: 3,
} as const

/** What a batch says about an entry, as bits, so that only some entries are examined for messages inside them. */
export const ENTRY_FLAG = {
  /** The text has a backslash. */
  backslash: 1,
  /** A comma follows the time of the entry, as in PostgreSQL's csvlog. */
  comma: 2,
} as const

/** Bytes of a line that are noted while its end is searched for, as bits. */
export const LINE_BYTE = {
  /** The same bit as in ENTRY_FLAG. */
  backslash: 1,
  /** The escape byte, which starts the colour codes of terminals. */
  escape: 2,
} as const

/** Lines and entries are matched up to this length in bytes; the rest is skipped. */
export const LONGEST = 1_048_576

/** After this many lines in a row without a time the format is checked again, then after twice as many, and so on. */
export const REVIEW_AFTER = 100

/** A Docker record of at least this length without a line end continues in the next record. */
export const DOCKER_PIECE = 16_384

/** The state block of a reader, in 32-bit words. 64-bit values are at even words. */
export const STATE = {
  /** Address of the first byte that was not read: the start of a line. */
  at: 0,
  /** How far this line was searched for its end. */
  searched: 1,
  /** End of the bytes. */
  limit: 2,
  /** Number of the line at `at`, from 1. */
  line: 3,
  /** One of KIND. */
  kind: 4,
  /** Address of the time program. */
  program: 5,
  /** 1 if no bytes follow: the rest is a line, and everything pending is an entry. */
  final: 6,
  /** 1 while the rest of a line that is too long is skipped. */
  skipping: 7,
  /** Number of entries in the arrays, and how many fit. */
  count: 8,
  capacity: 9,
  /** Addresses of the arrays: text starts, text ends, line numbers, timestamps (64 bits), ENTRY_FLAG bits (8 bits). */
  starts: 10,
  ends: 11,
  lines: 12,
  times: 13,
  flags: 14,
  /** 1 while an entry is open: lines without a time are added to it. */
  open: 15,
  openStart: 16,
  openEnd: 17,
  openLine: 18,
  openFlags: 19,
  /** Lines in a row without a time, and the count at which the format is checked again. */
  timeless: 20,
  reviewAt: 21,
  /** Number of the first line that was cut, until the host has warned about it; otherwise 0. */
  cutLine: 22,
  /** 1 if a line without a time and without an open entry gets `lastTime`. */
  hasTime: 23,
  /** Signed 64 bits: the latest second for a time without a year. */
  yearLimit: 24,
  /** Signed 64 bits: the time of the open entry. */
  openTime: 26,
  /** Signed 64 bits: the time of the last container record, or of the entry that was delivered early. */
  lastTime: 28,
  /** Signed 64 bits: the time of lines without one. */
  clock: 30,
  /** Two PARTIAL blocks: stdout and stderr of a container. */
  partials: 32,
  /** Address of the time zone table. */
  zones: 44,
  /** LINE_BYTE bits of the part of the line at `at` that was searched for its end. */
  lineBytes: 45,
  /** The MEMO block of the kernel. Its first word is 0 if it is empty. */
  memo: 48,
  /** The LOCAL block, of 16 words. */
  local: 88,
  size: 104,
} as const

/** An entry that a container runtime writes in pieces, before its last piece was read; in 32-bit words. */
export const PARTIAL = {
  /** Address and length of its text. */
  text: 0,
  length: 1,
  /** Number of its first line; 0 if there is no such entry. */
  line: 2,
  /** ENTRY_FLAG bits. */
  flags: 3,
  /** Signed 64 bits. */
  time: 4,
  size: 6,
} as const

/**
 * What is known of the zone of times that name none; in 32-bit words. The host fills in what the reading loop asks for, so
 * that times with a zone cost nothing.
 */
export const LOCAL = {
  /** Signed 64 bits: the stretch of local time for which the offsets are known; it is empty at the start. */
  from: 0,
  to: 2,
  /** Signed: seconds ahead of UTC, and in the second pass. They are equal if clocks show these times once. */
  offset: 4,
  secondOffset: 5,
  /** 1 in the second pass. */
  isSecond: 6,
  /** Signed 64 bits: in a stretch that occurs twice, the latest local time of the first pass. */
  latest: 8,
  /** Signed 64 bits: the latest local times for times without a year and without a date. */
  yearLimit: 10,
  dayLimit: 12,
  /** 1 if these limits are known. */
  hasLimits: 14,
} as const

/** Clocks that go back by more than this many seconds are in their second pass. */
export const SECOND_PASS = 1800

/** What the kernel remembers about the last time it read; in bytes. The twin does not use it. */
export const MEMO = {
  /** Length of the bytes before the seconds; 0 if nothing is remembered. */
  length: 0,
  /** Address of the operation to continue with after these bytes. */
  pc: 4,
  /** 1 if `minute` is known; `minute` is the local time of its start, as signed 64 bits. */
  hasMinute: 8,
  minute: 16,
  /** The bytes, a mask of `length` bytes, and the values of the fields. */
  prefix: 32,
  mask: 64,
  fields: 96,
  longestPrefix: 32,
} as const
