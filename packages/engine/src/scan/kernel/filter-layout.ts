// The numbers that the filter's kernel functions and their TypeScript twins share: sizes, record layouts, tuning values.
// scripts/build-kernel.mjs writes kernel/constants.generated.ts from the exports of this file, so it exports only numbers
// and objects of numbers. Offsets are in bytes from the start of the record.

/** The text is filtered in groups of 16 bytes, one SIMD register, that start at multiples of 16. */
export const GROUP = 16
/** Groups per pass: 16 KiB of text, which is still in the L1 cache for the next loop. 4 and 64 KiB measured the same. */
export const QUEUE_GROUPS = 1024

/** Bytes in a window and in a fingerprint, unless needles are shorter. */
export const WINDOW = 4
export const FINGERPRINT = 4

/** The hash of a key is the key times this odd factor: 2^32 divided by the square of the golden ratio. */
export const HASH_FACTOR = 0x61c88647
/** The two bytes next to a window change its hash by this factor, another odd number without a pattern. */
export const CONTEXT_FACTOR = 0x2c1b3c6d
/** The key of a fingerprint is its last 3 bytes, little-endian. Shorter keys have one of these tags in the top byte. */
export const KEY_2 = 0x01000000
export const KEY_1 = 0x02000000

/**
 * The first table has 256 KiB, which fits the second-level cache beside the text: random reads were as fast as with
 * 64 KiB, and 10 % slower with 1 MiB. The high 18 bits of a hash select a byte. With few windows the byte is 0 or 1. With
 * many, the low 5 bits of the hash select a bit of this byte and the 3 bytes after it: two more instructions, but room for
 * eight times as many windows.
 */
export const FIRST_SHIFT = 14
export const FIRST_SIZE = 262_160
/**
 * The second table is read only for candidates from the first one. It holds the hash of each window together with the 2
 * bytes after or before it, whichever are rarer, so most windows that occur in other words are dropped here. 64 KiB,
 * because a larger table displaced other data from the cache. Entries are bytes for few windows and bits for many, selected
 * by the next 3 bits of the hash.
 */
export const CONTEXT = 2
export const SECOND_SHIFT = 16
export const SECOND_SIZE = 65_536
export const SECOND_BIT_SHIFT = 13

/** Counters for the windows of the sample: one byte each, in the memory that later holds the first table. */
export const COUNTS_SHIFT = 14
export const COUNTS_SIZE = 262_144

/** The model of byte frequencies in logs, used until there is a sample of the input. */
export const MODEL = {
  /** The symbol of each byte. */
  symbols: 0,
  /** A hexadecimal digit per pair of symbols: the base-2 logarithm of its frequency in SAMPLE_SIZE bytes. */
  pairs: 256,
  /** The same for each single symbol, as numbers. */
  singles: 2304,
  /** The frequency of each byte; only the ratios matter. */
  bytes: 2368,
  size: 3392,
} as const
export const SYMBOL_COUNT = 45

/** The plan: the state of a filter, 4 bytes per field. The fields up to `checked` change during a scan. */
export const PLAN = {
  /** Address of the next group. */
  at: 0,
  /** End of the text. */
  end: 4,
  /** Number of entries, addresses of their starts and ends, and the entry of the last candidate. */
  entries: 8,
  starts: 12,
  ends: 16,
  entry: 20,
  /** The number of entry 0 of this run in `seen`. No number is used twice. */
  stamp: 24,
  /** Number of groups to check, and the group and byte to continue with. */
  checks: 28,
  next: 32,
  byte: 36,
  /** 1 when the whole text was scanned. */
  done: 40,
  /** Groups of this run that passed the first table or the fingerprints, and those that also passed the second table. */
  candidates: 44,
  checked: 48,
  /** Candidate groups: address, and a bit per byte that is 0 where a fingerprint may end. */
  queue: 52,
  /** Groups to check: address, a bit per first byte of a window, and 16 bits higher one per last byte of a fingerprint. */
  checkList: 56,
  /** Pairs of entry and needle, and how many are collected before the scan returns. */
  pairs: 60,
  pairLimit: 64,
  /** The stamp of the last entry that contained the needle, for each needle. */
  seen: 68,
  /** The needle records, and how many there are. */
  needles: 72,
  needleCount: 76,
  /** How many needles are triggers. */
  triggers: 80,
  /** Distance between the text positions whose windows are looked up: 4, 2, 1, or 0 for no windows. */
  stride: 84,
  /** Bytes in a window (4, 3 or 2), and the factor of its hash, shifted so that the other bytes do not count. */
  window: 88,
  factor: 92,
  /** Set in every key before it is hashed: 0x20 in each byte if case is ignored, otherwise 0. */
  fold: 96,
  /** The two tables, and the mask of the hash bits that select a bit: 0 for tables of bytes, otherwise 31. */
  first: 100,
  bits: 104,
  second: 108,
  /** Index of the first item of each hash, plus one index after the last; the shift from hash to index; the items. */
  heads: 112,
  headsShift: 116,
  items: 120,
  /** The key lengths of the fingerprints, as bits: 1, 2 and 4 for keys of 1, 2 and 3 bytes. */
  fingerprints: 124,
  /** Fingerprint masks: per position the buckets of each low nibble, then of each high one; and whether high ones count. */
  masks: 128,
  masksHigh: 132,
  /** The same per byte value: 4 sets of buckets, one per position. Used by the TypeScript twin only. */
  classes: 136,
  /** How often each byte value occurs in the sample. */
  byteCounts: 140,
  model: 144,
  /** Working memory for filling the tables: see SCRATCH. */
  scratch: 148,
  size: 192,
} as const

/** Only this many windows of a needle are compared: a rarer one further on is not worth the search. */
export const SEARCHED = 256
/** Working memory: first the cost of each of those windows; later the buckets, then byte and low-nibble frequencies. */
export const SCRATCH = { bytes: 256, low: 2304, size: 2432 } as const
/** A bucket: the sets of low and high nibbles that it accepts at each position, and the share of the text it accepts. */
export const BUCKET = { low: 0, high: 8, share: 16, size: 32 } as const
/** One bucket per bit of a byte. */
export const BUCKETS = 8
/** After this many fingerprints every bucket accepts nearly everything, so the best bucket is no longer searched. */
export const WEIGHED_FINGERPRINTS = 128
/** High nibbles are compared too if low nibbles alone would let more than this share of the groups pass. */
export const FALSE_GROUPS = 0.03
/** The set of all 16 nibbles. */
export const ALL_NIBBLES = 0xffff

/**
 * The number of triggers that fingerprints can distinguish. If more triggers are too short for windows, the stride and
 * then the windows are made shorter.
 */
export const FINGERPRINTED = 40
/** Up to this many triggers the first table has bytes: one group in 8 is then a false positive, which the second drops. */
export const BYTE_NEEDLES = 2048
/** The bit that distinguishes upper from lower case, in each byte. */
export const CASE_BITS = 0x20202020
/** The part of the sample whose bytes are counted: enough for the frequencies of single bytes. */
export const BYTE_SAMPLE = 16_384

/** The size for which the model states frequencies, and the size up to which a sample is counted. */
export const SAMPLE_SIZE = 262_144
/** Every second window of the sample is counted: half the time, with equally good choices. */
export const SAMPLE_STEP = 2
/** Up to this sample size the model counts in full: a window that is not in 8 KiB may still be a common one. */
export const TRUSTED_SAMPLE = 8192
/** A window that is neither in the sample nor in the model is expected this often in SAMPLE_SIZE bytes. */
export const LEAST_EXPECTED = 0.0625
/** Each needle with the same window adds this much to the cost of an occurrence: one compare, a fiftieth of the rest. */
export const SHARED_COST = 0.02

/** An item: a needle that may be at a position, with up to 8 of its bytes for a first comparison. */
export const ITEM = {
  /** The 8 bytes, and which of their bits count. */
  value: 0,
  mask: 8,
  /** Offset of these bytes from the position of the key; never positive. */
  reach: 16,
  /** How many bytes before the position of the key the needle starts. */
  before: 20,
  needle: 24,
  length: 28,
  size: 32,
} as const

/** The record of a needle. */
export const NEEDLE = {
  bytes: 0,
  length: 4,
  /** Bits of FLAG. */
  flags: 8,
  /** Offset in the needle at which its windows start, or its fingerprint ends. */
  key: 12,
  /** A bit per window: whether the second table has it with the bytes before it. */
  sides: 16,
  /** Two bytes that are rare in logs: offset, value, and the bit that is ignored if case is. */
  rare: 20,
  rareValue: 24,
  rareCase: 28,
  other: 32,
  otherValue: 36,
  otherCase: 40,
  size: 48,
} as const
/** `fold`: ASCII letters match in either case. `trigger`: a scan reports the needle. */
export const FLAG = { fold: 1, trigger: 2 } as const
