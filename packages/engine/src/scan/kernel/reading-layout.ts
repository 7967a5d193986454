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
export { LONG_RUN, TRAIT } from '../../time/screen.js'
export { CLOCK_AHEAD, DAY } from '../../time/wall-clock.js'

/** How a stream is divided into entries. */
export const KIND = {
  /** No line has had a time so far: each line is an entry with the time at which it was read. */
  none: 0,
  /** A line with a time starts an entry, and the lines after it that have none are folded into it. */
  lines: 1,
  /** Each line is a record of a container runtime. */
  cri: 2,
  docker: 3,
} as const

/** Which part of a line with a time is the text of the entry. */
export const TEXT = {
  whole: 0,
  /** What follows the time, if that is a space. */
  rest: 1,
  /** The same if the time is as RFC 3339 has it, otherwise the whole line. */
  either: 2,
} as const

/** What the reading loop needs next when it returns. */
export const WANTS = {
  /** More bytes. */
  bytes: 0,
  /** The entries must be taken out of the arrays; then it can be called again. */
  delivery: 1,
  /** The formats must be checked: many lines in a row had no time. */
  review: 2,
  /** The table of formats must be put into memory. */
  table: 3,
  /** Only inside the loop: the entries must be delivered before this line is taken. */
  deliveryFirst: 4,
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

/** After this many lines in a row without a time the formats are checked again, then after twice as many, and so on. */
export const REVIEW_AFTER = 100

/** A Docker record of at least this length without a line end continues in the next record. */
export const DOCKER_PIECE = 16_384

/** A stream has at most this many formats. Further ones start entries too, but are found in the table each time. */
export const MOST_FORMATS = 32

/**
 * A format that a stream has not had before must have a time at most this many seconds from that of the entry before: a day,
 * and two hours for time zones.
 */
export const NEAR_SECONDS = 93_600

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
  /** Address of the list of formats of the stream: FORMAT records. */
  formats: 5,
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
  /** Lines that were folded into the open entry, and the count at which the formats are checked again. */
  timeless: 20,
  reviewAt: 21,
  /** Number of the first line that was cut, until the host has warned about it; otherwise 0. */
  cutLine: 22,
  /** One of TIMED. */
  timed: 23,
  /** Signed 64 bits: the latest second for a time without a year. */
  yearLimit: 24,
  /** Signed 64 bits: the time of the open entry. */
  openTime: 26,
  /** Signed 64 bits: the time of lines without one: that of the entry before, or before the first time, of that entry. */
  lastTime: 28,
  /** Signed 64 bits: the time at which lines are read. */
  clock: 30,
  /** Two PARTIAL blocks: stdout and stderr of a container. */
  partials: 32,
  /** Address of the time zone table. */
  zones: 44,
  /** LINE_BYTE bits of the part of the line at `at` that was searched for its end. */
  lineBytes: 45,
  /** The number of formats in the list, and the address of the one that was used last; 0 if there is none. */
  formatCount: 46,
  recent: 47,
  /** Address of the TABLE of formats; 0 while it is not in memory. */
  table: 48,
  /** The number of lines that were folded, until the host has taken it. */
  folded: 49,
  /** The highest rank in the list, and of the formats in the list whose time is in a JSON object; 0 if there are none. */
  topRank: 50,
  topObjectRank: 51,
  /** The LOCAL block, of 16 words. */
  local: 52,
  size: 68,
} as const

/** A format of the stream; in bytes. */
export const FORMAT = {
  /** Address of its time program; 0 for a configured format, which only the twin reads. */
  program: 0,
  /** One of TEXT. */
  text: 4,
  /** The shapes in which its times were written so far: bit 1 << SHAPE bits. */
  shapes: 8,
  /** Its index in the table of formats, or CONFIGURED and an index of a configured one. */
  row: 12,
  /** The TIMED of a stream after a line in this format. */
  timed: 24,
  /** ROW_FLAG bits: `object`, and which words must precede the time if one line has shown the format. */
  flags: 28,
  /** Of the kernel: the end of the lead if it is read in each line, and how often the memo missed. */
  leadEnd: 16,
  misses: 20,
  /** The bytes with which a line with such a time can start: 256 bits. */
  firstBytes: 32,
  /** Its rank: of several formats that fit a line, the one with the highest rank is used. */
  rank: 64,
  /** The MEMO block of the kernel. */
  memo: 80,
  size: 240,
} as const

/** What the time of the last entry says about how near another time is. */
export const TIMED = {
  /** No line has had a time so far. */
  no: 0,
  yes: 1,
  /** It was a clock without a date: its date is a guess. */
  clock: 2,
} as const

export const CONFIGURED = 65_536

/** What a time is written with, as bits: two shapes of one row of the table are two formats. */
export const SHAPE = { fraction: 1, zone: 2 } as const

/** The table of formats, for lines that no format of the list fits; in bytes. Its addresses are relative to its start. */
export const TABLE = {
  /** For each first byte of a line the address of a list: addresses of ROW records, the highest rank first, then 0. */
  lists: 0,
  size: 1024,
} as const

/** A row of the table; in bytes. */
export const ROW = {
  program: 0,
  text: 4,
  row: 8,
  rank: 12,
  /** TRAIT bits, of which a line must have one; 0 if any line may have such a time. */
  screen: 16,
  /** ROW_FLAG bits. */
  flags: 20,
  firstBytes: 32,
  size: 64,
} as const

export const ROW_FLAG = {
  /** The time is anywhere in the line: it counts only after another entry with a time. */
  anywhere: 1,
  /** The time is in a JSON object. */
  object: 2,
  /** Only words that loggers write precede the time. */
  words: 4,
  /** The line starts with the name of a level. */
  level: 8,
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

/** What the kernel remembers about the last time of a format; in bytes. The twin does not use it. */
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
