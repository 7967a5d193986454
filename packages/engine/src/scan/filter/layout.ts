// How the filter's tables lie in the kernel's memory. The kernel imports this file too, so it holds nothing but whole
// numbers that mean the same in TypeScript and in AssemblyScript.

/** Text is filtered in groups of 16 bytes, one SIMD register, starting at multiples of 16. */
export const GROUP = 16
/**
 * Groups filtered before their candidates are looked at: 16 KiB of text, still in the L1 cache by then. 4 or 64 did as
 * well.
 */
export const QUEUE_GROUPS = 1024

/** Bytes in a window and in a fingerprint, unless needles are shorter. */
export const WINDOW = 4
export const FINGERPRINT = 4

/** A key becomes a hash by this factor: 2^32 by the square of the golden ratio, made odd, which spreads well. */
export const HASH_FACTOR = 0x61c88647
/** The two bytes beside a window change its hash by this factor, another odd number without a pattern. */
export const CONTEXT_FACTOR = 0x2c1b3c6d
/**
 * The key of a fingerprint: its last 3 bytes as a little-endian number, or fewer with a tag that keeps them out of each
 * other's way.
 */
export const KEY_2 = 0x01000000
export const KEY_1 = 0x02000000

/**
 * The first table has 256 KiB: what a second-level cache holds beside the text, and random reads of it were measured as
 * fast as of 64 KiB, while 1 MiB took 10 % longer. The high 18 bits of a hash name a byte of it. For few windows that
 * byte says yes or no; for many, its bits and those of the 3 bytes after it do, and the low 5 bits of the hash tell
 * which. That takes two more instructions, but eight times as many windows.
 */
export const FIRST_SHIFT = 14
export const FIRST_SIZE = 262_160
/**
 * The second table is asked for candidates of the first only. It knows a window together with the two bytes after it or
 * before it, whichever are rarer there, so that most windows that stand in other words end here. 64 KiB, because more
 * pushed other things out of the cache; bytes that say yes or no for few windows, bits for many, the next 3 bits of the
 * hash.
 */
export const CONTEXT = 2
export const SECOND_SHIFT = 16
export const SECOND_SIZE = 65_536
export const SECOND_BIT_SHIFT = 13

/** Counters for the sample, as many as the first table has bytes; they stand where it will be. */
export const COUNTS_SHIFT = 14
export const COUNTS_SIZE = 262_144

// The model of any log.
/** Symbol of each byte. */
export const MODEL_SYMBOLS = 0
/**
 * A hexadecimal digit for each pair of symbols: the logarithm to base 2 of how often it occurs in SAMPLE_SIZE bytes.
 */
export const MODEL_PAIRS = 256
/** The same for each symbol alone, as numbers. */
export const MODEL_SINGLES = 2304
/** How often each byte occurs; only the proportions count. */
export const MODEL_BYTES = 2368
export const MODEL_SIZE = 3392
/** Number of symbols. */
export const SYMBOL_COUNT = 45

// The plan: what a scan needs to know, 4 bytes each. First what changes while it runs …
/** Address of the next group to filter. */
export const PLAN_AT = 0
/** Where the text ends. */
export const PLAN_END = 4
/** Number of entries, addresses of their starts and ends, and the entry at which the last candidate was. */
export const PLAN_ENTRIES = 8
export const PLAN_STARTS = 12
export const PLAN_ENDS = 16
export const PLAN_ENTRY = 20
/** What entry 0 of this run is called in the list of what was seen; no number is used twice. */
export const PLAN_STAMP = 24
/** Groups to be checked, and which of them, and which byte of it, comes next. */
export const PLAN_CHECKS = 28
export const PLAN_NEXT = 32
export const PLAN_BYTE = 36
/** 1 when the whole text is done. */
export const PLAN_DONE = 40
/** Groups that passed the first table or the fingerprints in this run, and those of them that passed the second. */
export const PLAN_CANDIDATES = 44
export const PLAN_CHECKED = 48
// … then what stays.
/** Candidate groups: the address, and a bit for each of its bytes, 0 where a fingerprint may end. */
export const PLAN_QUEUE = 52
/**
 * Groups to be checked: address, and a bit for each window's first byte, and 16 bits higher for each fingerprint's
 * last.
 */
export const PLAN_CHECK_LIST = 56
/** Pairs of entry and needle, and how many there may be before the scan stops to hand them over. */
export const PLAN_PAIRS = 60
export const PLAN_PAIR_LIMIT = 64
/** For each needle the stamp of the entry in which it was seen last. */
export const PLAN_SEEN = 68
/** The needles' records, and how many. */
export const PLAN_NEEDLES = 72
export const PLAN_NEEDLE_COUNT = 76
/** How many of the needles are triggers. */
export const PLAN_TRIGGERS = 80
/** Distance between the text positions whose windows are looked up: 4, 2 or 1, or 0 for none at all. */
export const PLAN_STRIDE = 84
/**
 * Bytes in a window, 4, 3 or 2, and the factor that makes its hash: shifted, it leaves out the bytes that do not count.
 */
export const PLAN_WINDOW = 88
export const PLAN_FACTOR = 92
/** Set in every key before it is hashed: 0x20 in each byte when upper and lower case shall count as the same. */
export const PLAN_FOLD = 96
/** The first and the second table, and which bits of a hash name a bit there: 0 for yes-or-no bytes, else 31. */
export const PLAN_FIRST = 100
export const PLAN_BITS = 104
export const PLAN_SECOND = 108
/** First item of each hash, and one more to end the last; how far a hash is shifted to become an index; the items. */
export const PLAN_HEADS = 112
export const PLAN_HEADS_SHIFT = 116
export const PLAN_ITEMS = 120
/** Lengths of the fingerprints' keys that there are, as bits: 1, 2 and 4 for those of 1 to 3 bytes. */
export const PLAN_PRINTS = 124
/** Fingerprint masks: for each place the buckets of each low, then of each high nibble; whether the high ones count. */
export const PLAN_MASKS = 128
export const PLAN_MASKS_HIGH = 132
/** The same for whole bytes, 4 sets of buckets for each byte value, one for every place; for the plain twin alone. */
export const PLAN_CLASSES = 136
/** How often each byte value occurs in the sample. */
export const PLAN_BYTE_COUNTS = 140
export const PLAN_MODEL = 144
/** Room for what filling the tables has to remember. */
export const PLAN_SCRATCH = 148
export const PLAN_SIZE = 192

/** Windows are compared over at most this much of a needle: a rarer run further on is not worth the search. */
export const SEARCHED = 256
// The scratch room holds the cost of each of those windows; later the buckets, 32 bytes each, and how often each byte
// and each low nibble occurs, as a share of the text.
export const SCRATCH_BYTES = 256
export const SCRATCH_LOW = 2304
export const SCRATCH_SIZE = 2432
/** In a bucket: the sets of low and of high nibbles that it accepts at each place, and its share of the text. */
export const BUCKET_LOW = 0
export const BUCKET_HIGH = 8
export const BUCKET_SHARE = 16
export const BUCKET_SIZE = 32
/** As many buckets as a byte has bits. */
export const BUCKETS = 8
/** Past this many fingerprints every bucket accepts nearly everything, and looking for the best one is wasted. */
export const WEIGHED_PRINTS = 128

/**
 * Triggers that fingerprints still tell apart. If more are too short for windows, windows are looked up at every second
 * position, or at every one, and are then made shorter, until they suit enough of them.
 */
export const FINGERPRINTED = 40
/**
 * Triggers up to which bytes of the first table say yes or no: then one group in 8 is a false alarm, which the second
 * mends.
 */
export const BYTE_NEEDLES = 2048
/** Upper and lower case of an ASCII letter differ in this bit of each byte. */
export const CASE_BITS = 0x20202020
/** Part of the sample whose bytes are counted, too: their proportions show in less than its windows need. */
export const BYTE_SAMPLE = 16_384

/** The size for which the model states how often a window occurs, and up to which a sample is counted. */
export const SAMPLE_SIZE = 262_144
/** Every second window of the sample is counted: half the time, and the choice comes out as good. */
export const SAMPLE_STEP = 2
/** Sample size up to which the model counts in full: a window that 8 KiB do not hold may still be a common one. */
export const TRUSTED_SAMPLE = 8192

// An item says that a needle may stand here: up to 8 of its bytes decide at once.
/** The 8 bytes, and which of their bits count. */
export const ITEM_VALUE = 0
export const ITEM_MASK = 8
/** Where they stand, seen from the position of the key; never after it. */
export const ITEM_REACH = 16
/** How far before the position of the key the needle starts. */
export const ITEM_BEFORE = 20
export const ITEM_NEEDLE = 24
export const ITEM_LENGTH = 28
export const ITEM_SIZE = 32

// A needle's record.
export const NEEDLE_BYTES = 0
export const NEEDLE_LENGTH = 4
/** Whether ASCII letters match in either case, and whether it is a trigger. */
export const NEEDLE_FLAGS = 8
export const FLAG_FOLD = 1
export const FLAG_TRIGGER = 2
/** Where in the needle its windows start, or its fingerprint ends. */
export const NEEDLE_KEY = 12
/** For each of its windows a bit: whether the second table knows it with what stands before it. */
export const NEEDLE_SIDES = 16
/**
 * Two of its bytes that are rare in logs: where they stand, what they are, and the bit that their case does not decide.
 */
export const NEEDLE_RARE = 20
export const NEEDLE_RARE_VALUE = 24
export const NEEDLE_RARE_CASE = 28
export const NEEDLE_OTHER = 32
export const NEEDLE_OTHER_VALUE = 36
export const NEEDLE_OTHER_CASE = 40
export const NEEDLE_SIZE = 48
