/** Pairs of an entry and a needle that the filter has found, copied from kernel memory; ascending by entry. */
export class FoundPairs {
  length = 0
  #pairs = new Uint32Array(4096)

  clear(): void {
    this.length = 0
  }

  /** Adds `count` pairs at an address of kernel memory. */
  take(u32: Uint32Array, address: number, count: number): void {
    const end = 2 * (this.length + count)
    if (end > this.#pairs.length) {
      const larger = new Uint32Array(Math.max(end, 2 * this.#pairs.length))
      larger.set(this.#pairs.subarray(0, 2 * this.length))
      this.#pairs = larger
    }
    this.#pairs.set(u32.subarray(address >>> 2, (address >>> 2) + 2 * count), 2 * this.length)
    this.length += count
  }

  /** The entry of a pair; larger than any other after the last pair. */
  entry(index: number): number {
    return index < this.length ? this.#pairs[2 * index]! : Number.POSITIVE_INFINITY
  }

  needle(index: number): number {
    return this.#pairs[2 * index + 1]!
  }
}
