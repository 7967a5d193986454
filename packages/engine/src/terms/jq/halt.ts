/** Thrown by `halt` and `halt_error`, which end everything. */
export class Halt {
  readonly failed: boolean

  constructor(failed: boolean) {
    this.failed = failed
  }
}
