/** What the kernel does for the filter. Addresses and numbers in and out; the layout of the records is in layout.ts. */
export interface FilterFunctions {
  /**
   * Fills the plan's tables for its needles, choosing what to look for by what is rare in the text [from, to), or in
   * any log when that is empty.
   */
  filterFill(plan: number, from: number, to: number): void
  /** Scans on until the text is done or the pairs are full, and returns how many pairs lie ready. */
  filterScan(plan: number): number
  /** Address of the first occurrence of a needle (address of its record) within [from, to), or -1. */
  filterFind(needle: number, from: number, to: number): number
}
