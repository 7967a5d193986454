/**
 * The matches of a scanner in a batch of entries: which conditions each matching entry meets, with its text. Plain typed
 * arrays, so that it can be sent to another thread.
 */
export interface MatchBatch {
  /** The timestamps of all entries of the batch, matching or not, in order, for the clock. */
  readonly timestamps: BigInt64Array
  /** The number of entries that meet at least one condition; the arrays below have at least this many elements. */
  readonly matches: number
  /** Index of the entry within the batch, ascending. */
  readonly entry: Uint32Array
  /** Number of the entry's first line. */
  readonly line: Uint32Array
  readonly textStart: Uint32Array
  readonly textEnd: Uint32Array
  /** The bytes that textStart and textEnd point into. */
  readonly text: Uint8Array
  /** The end of each match in `conditions`; it starts at the end of the match before. */
  readonly conditionsEnd: Uint32Array
  /** Indices of the conditions that the entry meets, ascending within a match. */
  readonly conditions: Uint32Array
}

/** Collects the matches of a batch in arrays that grow as needed and are reused for the next batch. */
export class MatchCollector {
  entry = new Uint32Array(256)
  line = new Uint32Array(256)
  textStart = new Uint32Array(256)
  textEnd = new Uint32Array(256)
  conditionsEnd = new Uint32Array(256)
  conditions = new Uint32Array(1024)
  matches = 0
  conditionCount = 0
  textBytes = 0

  clear(): void {
    this.matches = 0
    this.conditionCount = 0
    this.textBytes = 0
  }

  /** Adds an entry that meets the first `count` of `conditions`. */
  add(entry: number, line: number, textStart: number, textEnd: number, conditions: Uint32Array, count: number): void {
    if (this.matches === this.entry.length) this.#growMatches()
    while (this.conditionCount + count > this.conditions.length) this.conditions = doubled(this.conditions)
    const at = this.matches++
    this.entry[at] = entry
    this.line[at] = line
    this.textStart[at] = textStart
    this.textEnd[at] = textEnd
    for (let i = 0; i < count; i++) this.conditions[this.conditionCount + i] = conditions[i]
    this.conditionCount += count
    this.conditionsEnd[at] = this.conditionCount
    this.textBytes += textEnd - textStart
  }

  #growMatches(): void {
    this.entry = doubled(this.entry)
    this.line = doubled(this.line)
    this.textStart = doubled(this.textStart)
    this.textEnd = doubled(this.textEnd)
    this.conditionsEnd = doubled(this.conditionsEnd)
  }
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
