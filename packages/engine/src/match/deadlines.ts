/**
 * The deadlines of all rules that wait, as a tree of minima: the leaves are the rules in order, every inner node is the
 * smaller of its two children. A change costs one walk to the root, the earliest deadline nothing, and the rules whose
 * deadline has passed are found from left to right, so in rule order, without looking at the others.
 */
export class Deadlines {
  readonly #tree: (bigint | undefined)[]
  readonly #leaves: number

  constructor(rules: number) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(rules, 1)))
    this.#tree = new Array(this.#leaves * 2).fill(undefined)
  }

  /** The earliest of all deadlines; undefined when no rule waits. */
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

  /** The rules whose deadline lies before the clock, in order. */
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
