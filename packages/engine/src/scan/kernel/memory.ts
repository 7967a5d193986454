const PAGE = 65_536

/**
 * What a reader and a filter of a few hundred needles need: growing step by step would make all views anew each time.
 * Pages that nobody touches take no memory.
 */
const FIRST_PAGES = 128

/**
 * The memory that a kernel works on, handed out from the front and never taken back: a detector asks once for what it
 * needs. The views are made anew when the memory grows, so nobody keeps one across a call of `allocate`.
 */
export class KernelMemory {
  readonly memory: WebAssembly.Memory
  u8!: Uint8Array
  u32!: Uint32Array
  i64!: BigInt64Array
  #top: number

  constructor(firstFree = 1024) {
    this.memory = new WebAssembly.Memory({ initial: FIRST_PAGES })
    this.#top = firstFree
    this.#refresh()
  }

  /** Reserves `size` zeroed bytes aligned to 16 and returns their address. */
  allocate(size: number): number {
    const start = (this.#top + 15) & ~15
    this.#top = start + size
    const missing = this.#top - this.u8.length
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / PAGE))
      this.#refresh()
    }
    return start
  }

  #refresh(): void {
    this.u8 = new Uint8Array(this.memory.buffer)
    this.u32 = new Uint32Array(this.memory.buffer)
    this.i64 = new BigInt64Array(this.memory.buffer)
  }
}
