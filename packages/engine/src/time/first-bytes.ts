import { HEADER, LOCATE, OP } from './program.js'

/**
 * The bytes with which a line can start in which a program finds a time, or undefined when that can be any byte. It saves most
 * programs most lines while the format of a log is decided.
 */
export function firstBytes(program: Uint8Array): Uint8Array | undefined {
  if (program[0] !== LOCATE.start) return undefined
  const set = new Uint8Array(256)
  return addFrom(program, HEADER, set) ? set : undefined
}

/** Adds the first bytes that the operations from `pc` on accept; false when they accept any. */
function addFrom(program: Uint8Array, start: number, set: Uint8Array): boolean {
  for (let pc = start; ; ) {
    const first = program[pc + 2]
    switch (program[pc]) {
      case OP.bytes:
        set[first] = 1
        return true
      case OP.one:
      case OP.some:
        addClass(program, pc + 1, set)
        return true
      case OP.optional:
      case OP.many:
        addClass(program, pc + 1, set)
        pc += 2 + 2 * program[pc + 1]
        break
      case OP.number:
      case OP.epoch:
        set.fill(1, 48, 58)
        return true
      case OP.month:
      case OP.weekday:
        set.fill(1, 65, 91).fill(1, 97, 123)
        return true
      case OP.either:
        if (!addFrom(program, pc + 3 + program[pc + 1] + 256 * first, set)) return false
        pc += 3
        break
      default:
        return false
    }
  }
}

function addClass(program: Uint8Array, classAt: number, set: Uint8Array): void {
  for (let i = 0; i < program[classAt]; i++) {
    const range = classAt + 1 + 2 * i
    set.fill(1, program[range], program[range + 1] + 1)
  }
}
