import {
  LINE_END,
  LINE_START,
  LINE_START_NOT_END,
  NOT_BEFORE_NEWLINE,
  type Program,
  WORD_EDGE,
  WORD_INSIDE,
} from './program.js'

/**
 * The characters, grouped into kinds that a program does not distinguish: its automaton has one column per kind instead of one
 * per character. Invariant: two characters of one kind are in the same sets, and both or neither are line feeds or word
 * characters if the program depends on those.
 */
export interface Alphabet {
  /** Kinds of the characters below U+10000: character c is in page `pageOf[c >> 8]`, which starts at 256 times that. */
  readonly pageOf: Uint16Array
  readonly pages: Uint16Array
  /** Where each run of characters of one kind begins, and its kind. */
  readonly starts: Uint32Array
  readonly kinds: Uint16Array
  /** How many kinds there are. The end of the text is one more. */
  readonly size: number
  /** For each kind, the sets that contain it: bit n of word n >> 5 is set n. */
  readonly members: readonly Uint32Array[]
  readonly isWord: Uint8Array
  readonly isNewline: Uint8Array
}

const NEWLINE: readonly number[] = [10, 10]
const ASKS_FOR_NEWLINES = LINE_START | LINE_START_NOT_END | LINE_END | NOT_BEFORE_NEWLINE

/** More sets or runs than this do not come from a pattern that a person wrote: they would cost more memory than they are worth. */
const MAX_SETS = 1024
const MAX_RUNS = 8192

/** The kinds for a program, or `undefined` if there would be too many. */
export function buildAlphabet({ sets, places, words }: Program): Alphabet | undefined {
  const all = [...sets]
  const newline = places & ASKS_FOR_NEWLINES ? all.push(NEWLINE) - 1 : -1
  const word = places & (WORD_EDGE | WORD_INSIDE) ? all.push(words) - 1 : -1
  const starts = Uint32Array.from(boundaries(all))
  if (all.length > MAX_SETS || starts.length > MAX_RUNS) return undefined
  const { kinds, members } = sortRuns(all, starts)
  return {
    ...buildPages(starts, kinds),
    starts,
    kinds,
    size: members.length,
    members,
    isWord: flags(members, word),
    isNewline: flags(members, newline),
  }
}

/** Equal pages are kept once: most patterns have two or three. The page of ASCII is the first. */
function buildPages(starts: Uint32Array, kinds: Uint16Array): Pick<Alphabet, 'pageOf' | 'pages'> {
  const pages: Uint16Array[] = []
  const known = new Map<string, number>()
  let run = 0
  const pageOf = Uint16Array.from({ length: 256 }, (_, page) => {
    const first = page << 8
    while (starts[run + 1]! <= first) run++
    const uniform = !(starts[run + 1]! <= first + 255)
    const spelled = uniform ? undefined : spellPage(starts, kinds, run, first)
    const key = spelled?.join() ?? `${kinds[run]}`
    const same = known.get(key) ?? pages.push(spelled ?? new Uint16Array(256).fill(kinds[run]!)) - 1
    known.set(key, same)
    return same
  })
  const all = new Uint16Array(pages.length << 8)
  for (const [i, page] of pages.entries()) all.set(page, i << 8)
  return { pageOf, pages: all }
}

/** The kinds of 256 characters from `first` on, which is in run `run`. */
function spellPage(starts: Uint32Array, kinds: Uint16Array, run: number, first: number): Uint16Array {
  const page = new Uint16Array(256).fill(kinds[run]!)
  for (let next = run + 1; starts[next]! <= first + 255; next++) page.fill(kinds[next]!, starts[next]! - first)
  return page
}

/** The kind of any code point: that of the last run that starts at or before it. */
export function kindOf({ starts, kinds }: Pick<Alphabet, 'starts' | 'kinds'>, code: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= code) low = middle
    else high = middle
  }
  return kinds[low]!
}

/** Whether the kind with these members is in set `set`. */
export const hasMember = (members: Uint32Array, set: number): boolean => ((members[set >> 5]! >>> (set & 31)) & 1) === 1

const flags = (members: readonly Uint32Array[], set: number): Uint8Array =>
  Uint8Array.from(members, (each) => (set >= 0 && hasMember(each, set) ? 1 : 0))

function boundaries(sets: readonly (readonly number[])[]): number[] {
  const found = new Set([0])
  for (const ranges of sets) {
    for (let i = 0; i < ranges.length; i += 2) found.add(ranges[i]!).add(ranges[i + 1]! + 1)
  }
  return [...found].sort((a, b) => a - b)
}

/** Gives runs with equal members the same kind. */
function sortRuns(
  sets: readonly (readonly number[])[],
  starts: Uint32Array,
): { kinds: Uint16Array; members: Uint32Array[] } {
  const runs = Array.from(starts, () => new Uint32Array((sets.length + 31) >> 5))
  const at = new Map(Array.from(starts, (start, run) => [start, run]))
  sets.forEach((ranges, set) => {
    for (let i = 0; i < ranges.length; i += 2) {
      const end = at.get(ranges[i + 1]! + 1)!
      for (let run = at.get(ranges[i]!)!; run < end; run++) runs[run]![set >> 5]! |= 1 << (set & 31)
    }
  })
  const kindByMembers = new Map<string, number>()
  const members: Uint32Array[] = []
  const kinds = Uint16Array.from(runs, (run) => {
    const key = run.join()
    let kind = kindByMembers.get(key)
    if (kind === undefined) {
      kind = members.push(run) - 1
      kindByMembers.set(key, kind)
    }
    return kind
  })
  return { kinds, members }
}
