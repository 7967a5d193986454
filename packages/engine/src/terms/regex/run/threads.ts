import { ASSERT, MATCH, type Program, SAVE, SPLIT, TAKE } from './program.js'

/**
 * The instructions at which a program waits at one position of the text: those that take a character, and assertions that
 * wait for what comes next. Each stands in `list` at most once.
 */
export interface Threads {
  readonly list: Int32Array
  size: number
  /** Empties the list. */
  clear(): void
  /**
   * Follows the program from `pc` up to where it has to wait. Of the places in `decided`, those in `holds` hold; the
   * other assertions wait. Says whether the program reaches its end.
   */
  follow(pc: number, holds: number, decided: number): boolean
}

export function createThreads({ op, out, arg }: Program): Threads {
  const list = new Int32Array(op.length)
  /** The round in which an instruction was last visited. */
  const seen = new Uint32Array(op.length)
  /** Each instruction is followed once in a round and leaves at most one more than it took. */
  const stack = new Int32Array(op.length + 1)
  let round = 1
  const threads: Threads = {
    list,
    size: 0,
    clear() {
      threads.size = 0
      round += 1
      if (round <= 0xffff_ffff) return
      seen.fill(0)
      round = 1
    },
    follow(pc, holds, decided) {
      let depth = 1
      let matched = false
      stack[0] = pc
      while (depth > 0) {
        const at = stack[--depth]!
        if (seen[at] === round) continue
        seen[at] = round
        const kind = op[at]
        if (kind === MATCH) {
          matched = true
        } else if (kind === SPLIT) {
          stack[depth++] = arg[at]!
          stack[depth++] = out[at]!
        } else if (kind === SAVE || (kind === ASSERT && (arg[at]! & holds) !== 0)) {
          stack[depth++] = out[at]!
        } else if (kind === TAKE || (arg[at]! & decided) === 0) {
          list[threads.size++] = at
        }
      }
      return matched
    },
  }
  return threads
}
