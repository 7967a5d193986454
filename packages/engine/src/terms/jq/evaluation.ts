/** What one evaluation may use. */
export interface Budget {
  /** About one for every value that a generator outputs, every call, and every element that a function visits. */
  readonly steps: number
  /** Bytes of all values that are created, whether they are still in use or not. */
  readonly bytes: number
  /** Nested calls. */
  readonly depth: number
}

/** Thrown when an evaluation exceeds its budget. `try` does not catch it. */
export class LimitReached {
  readonly of: keyof Budget

  constructor(of: keyof Budget) {
    this.of = of
  }
}

/**
 * What the running evaluation has left. Evaluations are synchronous and never nest, so there is one meter for all; passing
 * it to every function that visits a value would cost more than counting.
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

/** Called before the value is created, so that the budget is never exceeded. */
export function allocate(bytes: number): void {
  meter.bytes -= bytes
  if (meter.bytes < 0) throw new LimitReached('bytes')
}

/** The assumed size of an element of an array or a field of an object. */
export const SLOT_BYTES = 16
/** The assumed size of an array, an object or a string without its content. */
export const HEADER_BYTES = 32

/** Enters a call, which ends with `leave`. After an error, `try` restores the depth. */
export function enter(): void {
  spend(1)
  if (--meter.depth < 0) throw new LimitReached('depth')
}

export function leave(): void {
  meter.depth++
}

/** What `now` gives, in seconds since 1970. Set for the evaluation that is running, like the meter. */
export const clock = { seconds: 0 }

/** Thrown by `halt` and `halt_error`, which end the evaluation. */
export class Halt {
  readonly failed: boolean

  constructor(failed: boolean) {
    this.failed = failed
  }
}
