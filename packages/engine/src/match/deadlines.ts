/**
 * The deadlines of all waiting rules, as a tree of minima: the leaves are the rules in order, and every inner node is the
 * smaller of its two children. A change takes one walk to the root, the earliest deadline is at the root, and the rules whose
 * deadline has passed are found in rule order without visiting the others.
 */
export class Deadlines {
  readonly #tree: (bigint | undefined)[]
  readonly #leaves: number

  constructor(rules: number) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(rules, 1)))
    this.#tree = new Array(this.#leaves * 2).fill(undefined)
  }

  /** The earliest of all deadlines; undefined if no rule waits. */
  get earliest(): bigint | undefined {
    return this.#tree[1]
  }

  set(rule: number, deadline: bigint | undefined): void {
    let node = this.#leaves + rule
    if (this.#tree[node] === deadline) return
    this.#tree[node] = deadline
    while (node > 1) {
      node >>= 1
      const smaller = earlier(this.#tree[node * 2], this.#tree[node * 2 + 1])
      if (this.#tree[node] === smaller) return
      this.#tree[node] = smaller
    }
  }

  /** The rules whose deadline is before the clock, in order. */
  passed(clock: bigint, node = 1, found: number[] = []): number[] {
    const deadline = this.#tree[node]
    if (deadline === undefined || deadline >= clock) return found
    if (node >= this.#leaves) found.push(node - this.#leaves)
    else this.passed(clock, node * 2 + 1, this.passed(clock, node * 2, found))
    return found
  }
}

function earlier(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined) return b
  return b === undefined || a <= b ? a : b
}
