const PAGE = 65_536

/** Enough for a reader and a filter of a few hundred needles, to avoid growing. Pages that are not used take no memory. */
const FIRST_PAGES = 128

/** Fills in what a reader asks about local time, in its LOCAL block. */
export interface LocalTimeHost {
  /** The stretch around a local time. */
  findStretch(local: number): void
  /** The limits for times without a year and without a date. */
  findLimits(): void
}

/**
 * The memory of a kernel. It is allocated from the front and never freed: a detector allocates once. When the memory grows
 * all views are replaced, so no view may be kept across a call of `allocate`.
 */
export class KernelMemory {
  readonly memory: WebAssembly.Memory
  u8!: Uint8Array
  u32!: Uint32Array
  i64!: BigInt64Array
  /** By the address of the LOCAL block. */
  readonly localTimes = new Map<number, LocalTimeHost>()
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
