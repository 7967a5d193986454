/** How many errors a reader can correct: about 7 % (L) or 15 % (M) of the symbol. */
export type Level = 'L' | 'M'

interface Blocks {
  /** Into how many blocks the data is divided. */
  readonly count: number
  /** How many bytes of correction each of them has. */
  readonly correction: number
}

/** A size of the symbol. */
export interface Version {
  /** 1 to 10. */
  readonly number: number
  /** Bytes, with those of the correction. */
  readonly bytes: number
  /** Rows and columns in which alignment patterns have their middle. */
  readonly alignment: readonly number[]
  readonly blocks: Readonly<Record<Level, Blocks>>
}

/** ISO/IEC 18004, tables 1, 9 and E.1: bytes, alignment, and for L and M the count of blocks and the correction of each. */
const ROWS: readonly (readonly [number, readonly number[], readonly [number, number], readonly [number, number]])[] = [
  [26, [], [1, 7], [1, 10]],
  [44, [6, 18], [1, 10], [1, 16]],
  [70, [6, 22], [1, 15], [1, 26]],
  [100, [6, 26], [1, 20], [2, 18]],
  [134, [6, 30], [1, 26], [2, 24]],
  [172, [6, 34], [2, 18], [4, 16]],
  [196, [6, 22, 38], [2, 20], [4, 18]],
  [242, [6, 24, 42], [2, 24], [4, 22]],
  [292, [6, 26, 46], [2, 30], [5, 22]],
  [346, [6, 28, 50], [4, 18], [5, 26]],
]

/** The sizes that fit on a terminal. */
export const VERSIONS: readonly Version[] = ROWS.map(([bytes, alignment, [countL, L], [countM, M]], index) => ({
  number: index + 1,
  bytes,
  alignment,
  blocks: { L: { count: countL, correction: L }, M: { count: countM, correction: M } },
}))

/** How many modules a side has. */
export function sizeOf({ number }: Version): number {
  return 17 + 4 * number
}

/** How many bytes of data a symbol holds, with what says how long they are. */
export function dataBytesOf({ bytes, blocks }: Version, level: Level): number {
  const { count, correction } = blocks[level]
  return bytes - count * correction
}

/** How many bits say how long the text is. */
export function lengthBitsOf({ number }: Version): number {
  return number < 10 ? 8 : 16
}
