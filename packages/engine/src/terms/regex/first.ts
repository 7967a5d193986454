import { rangesHave } from './charset.js'
import { type Program, TEXT_START } from './program.js'
import { ALL_PLACES, createThreads } from './threads.js'

/** With what a match can begin, other than at the start of the text. */
export interface FirstCharacters {
  /** No match begins behind the start of the text. */
  readonly none: boolean
  /** 1 for each ASCII character with which a match can begin. Others always may. */
  readonly ascii: Uint8Array
}

/** Looks at where a program can begin, all assertions but the one of the text's start taken as met. */
export function findFirstCharacters(program: Program): FirstCharacters {
  const threads = createThreads(program)
  const empty = threads.follow(program.start, ALL_PLACES & ~TEXT_START, ALL_PLACES)
  const sets = Array.from(threads.list.subarray(0, threads.size), (pc) => program.sets[program.arg[pc]!]!)
  const ascii = Uint8Array.from({ length: 128 }, (_, code) =>
    empty || sets.some((set) => rangesHave(set, code)) ? 1 : 0,
  )
  return { none: !empty && sets.length === 0, ascii }
}
