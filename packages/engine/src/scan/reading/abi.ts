// What the reading loop and its host share: a block of numbers in kernel memory. The loop in plain.ts and its twin in
// kernel/reading.ts are the same, step by step; everything that survives a call is in this block.

/** How the text of an entry follows from its line. */
export const KIND = {
  /** No line has a time: each is an entry with the time at which it was read. */
  none: 0,
  /** The whole line, with the lines behind it that have no time. */
  whole: 1,
  /** The same, less an RFC 3339 time and the blank behind it. */
  rest: 2,
  cri: 3,
  docker: 4,
} as const

/** Whether entries of this kind may come in pieces: those of container runtimes. */
export function joinsPieces(kind: number): boolean {
  return kind === KIND.cri || kind === KIND.docker
}

/** What the loop wants when it returns. */
export const WANTS = {
  /** More bytes. */
  bytes: 0,
  /** That the entries be taken, then to be called again. */
  delivery: 1,
  /** A look at whether the format still fits: no line had a time for a while. */
  review: 2,
} as const

/** A line, or an entry of several lines, is matched up to this length; what follows is skipped. */
export const LONGEST = 1 << 20

/** After this many lines without a time the format is looked at again, and whenever there are twice as many. */
export const REVIEW_AFTER = 100

/** A record of Docker's that is this long and has no line end goes on in the next one. */
export const DOCKER_PIECE = 16_384

/** Where things stand in the block, in words of 32 bits. What has 64 bits stands at an even word. */
export const STATE = {
  /** Address of the first byte that was not read yet: the start of a line. */
  at: 0,
  /** How far that line was searched for its end. */
  searched: 1,
  /** Where the bytes end. */
  limit: 2,
  /** Number of the line at `at`, from 1. */
  line: 3,
  /** One of KIND. */
  kind: 4,
  /** Address of the time program. */
  program: 5,
  /** 1 when no more bytes follow: what is left is a line, and everything pending is an entry. */
  final: 6,
  /** 1 while the rest of an overlong line is passed over. */
  skipping: 7,
  /** Entries in the arrays below, and how many fit. */
  count: 8,
  capacity: 9,
  /** Addresses of the arrays: text starts and ends, line numbers, timestamps (64 bits). */
  starts: 10,
  ends: 11,
  lines: 12,
  times: 13,
  /** 1 while an entry is open: lines without a time are added to it. */
  open: 14,
  openStart: 15,
  openEnd: 16,
  openLine: 17,
  /** Lines in a row without a time, and at how many the format is looked at again. */
  timeless: 18,
  reviewAt: 19,
  /** Number of the first line that was cut, until the host has warned of it; 0 for none. */
  cutLine: 20,
  /** 1 when a line without a time that belongs to no open entry takes the last one: see `lastTime`. */
  hasTime: 21,
  /** Signed 64 bits: the latest second that a time without a year may mean. */
  yearLimit: 22,
  /** Signed 64 bits: the time of the open entry. */
  openTime: 24,
  /** Signed 64 bits: the time of the last record of a container, or of the entry that was delivered early. */
  lastTime: 26,
  /** Signed 64 bits: the time of lines without one. */
  clock: 28,
  /** Two blocks of PARTIAL, for the standard output and the standard error of a container. */
  partials: 30,
  /** Address of the table of zones. */
  zones: 42,
  /** What the kernel remembers of the last time that it read. The first word is 0 when it remembers nothing. */
  memo: 44,
  size: 84,
} as const

/** An entry that a container runtime wrote in pieces, of which the last has not come yet; in words, too. */
export const PARTIAL = {
  /** Address of its text, and how long it is. */
  text: 0,
  length: 1,
  /** Number of its first line; 0 when there is none. */
  line: 2,
  /** Signed 64 bits. */
  time: 4,
  size: 6,
} as const

/** Kernel functions of the reader. */
export interface ReadingFunctions {
  /** Reads lines from the block at this address until something is wanted of the host: one of WANTS. */
  readLines(state: number): number
}
