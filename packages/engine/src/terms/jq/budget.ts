/** What one evaluation may use up. */
export interface Budget {
  /** Roughly one for every value that a generator yields, every call, and every element that a function looks at. */
  readonly steps: number
  /** Bytes of all values made, whether they are still in use or not. */
  readonly bytes: number
  /** Calls within calls. */
  readonly depth: number
}

/** Thrown when an evaluation has used up its budget. `try` does not catch it. */
export class LimitReached {
  readonly of: keyof Budget

  constructor(of: keyof Budget) {
    this.of = of
  }
}

/**
 * What the running evaluation has left. Evaluations are synchronous and never nest, so one meter serves them all; handing
 * it to every function that looks at a value would cost more than counting.
 */
export const meter = { steps: 0, bytes: 0, depth: 0 }

/** Starts an evaluation. */
export function refill(budget: Budget): void {
  meter.steps = budget.steps
  meter.bytes = budget.bytes
  meter.depth = budget.depth
}

export function spend(steps: number): void {
  meter.steps -= steps
  if (meter.steps < 0) throw new LimitReached('steps')
}

/** To be called before the value is made, so that nothing beyond the budget ever is. */
export function allocate(bytes: number): void {
  meter.bytes -= bytes
  if (meter.bytes < 0) throw new LimitReached('bytes')
}

/** What an element of an array or a field of an object is taken to cost. */
export const SLOT_BYTES = 16
/** What an array, an object or a string is taken to cost beside its content. */
export const HEADER_BYTES = 32

/** Goes one call deeper; the caller comes back with `leave`. After an error, `try` sets the depth back. */
export function enter(): void {
  spend(1)
  if (--meter.depth < 0) throw new LimitReached('depth')
}

export function leave(): void {
  meter.depth++
}
