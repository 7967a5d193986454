const FIRST_CAPACITY = 8

/**
 * A queue in which every element can be reached: a circular array that doubles when it is full. Invariant: the elements
 * are `#slots[(#head + i) & mask]` for i below `#length`, and every other slot is empty, so that nothing that was dropped
 * stays in memory.
 */
export class Ring<T> {
  #slots: (T | undefined)[] = new Array(FIRST_CAPACITY)
  #head = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The element number `index`, the oldest being 0. It must exist. */
  at(index: number): T {
    return this.#slots[(this.#head + index) & (this.#slots.length - 1)] as T
  }

  push(element: T): void {
    if (this.#length === this.#slots.length) this.#grow()
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = element
    this.#length++
  }

  /** Takes the oldest element away. There must be one. */
  shift(): T {
    const oldest = this.#slots[this.#head] as T
    this.#slots[this.#head] = undefined
    this.#head = (this.#head + 1) & (this.#slots.length - 1)
    this.#length--
    return oldest
  }

  /** Takes `count` elements from number `index` on away, by moving the older ones up. They must exist. */
  remove(index: number, count: number): void {
    const mask = this.#slots.length - 1
    for (let i = index - 1; i >= 0; i--) {
      this.#slots[(this.#head + i + count) & mask] = this.#slots[(this.#head + i) & mask]
    }
    for (let i = 0; i < count; i++) this.shift()
  }

  clear(): void {
    if (this.#length === 0) return
    this.#slots = new Array(FIRST_CAPACITY)
    this.#head = 0
    this.#length = 0
  }

  #grow(): void {
    const grown: (T | undefined)[] = new Array(this.#slots.length * 2)
    for (let i = 0; i < this.#length; i++) grown[i] = this.at(i)
    this.#slots = grown
    this.#head = 0
  }
}
