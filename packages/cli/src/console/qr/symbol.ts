import { type Level, sizeOf, type Version } from './versions.js'

/** A square of modules, dark (1) or light (0), and which of them belong to the patterns that every symbol has. */
export interface QrSymbol {
  readonly size: number
  readonly modules: Uint8Array
  readonly isPattern: Uint8Array
}

/** When a module is turned around, by its row and column. */
export const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

const LEVEL_BITS: Readonly<Record<Level, number>> = { L: 0b01, M: 0b00 }

/** What tells a reader the level and the mask: 5 bits and 10 that correct them, never all light. */
export function formatBits(level: Level, mask: number): number {
  const data = (LEVEL_BITS[level] << 3) | mask
  return ((data << 10) | remainderOf(data, 10, 0x537)) ^ 0x5412
}

/** What tells a reader the size, from version 7 on: 6 bits and 12 that correct them. */
export function versionBits(version: number): number {
  return (version << 12) | remainderOf(version, 12, 0x1f25)
}

function remainderOf(data: number, bits: number, divisor: number): number {
  let remainder = data
  for (let i = 0; i < bits; i++) remainder = (remainder << 1) ^ ((remainder >> (bits - 1)) * divisor)
  return remainder
}

/** Draws a symbol with its data, turned around by a mask. */
export function drawSymbol(codewords: Uint8Array, version: Version, level: Level, mask: number): QrSymbol {
  const size = sizeOf(version)
  const symbol: QrSymbol = { size, modules: new Uint8Array(size * size), isPattern: new Uint8Array(size * size) }
  drawPatterns(symbol, version)
  drawFormat(symbol, formatBits(level, mask))
  if (version.number >= 7) drawVersion(symbol, versionBits(version.number))
  drawData(symbol, codewords, MASKS[mask]!)
  return symbol
}

function set({ size, modules, isPattern }: QrSymbol, row: number, column: number, isDark: boolean): void {
  if (row < 0 || column < 0 || row >= size || column >= size) return
  modules[row * size + column] = Number(isDark)
  isPattern[row * size + column] = 1
}

function drawPatterns(symbol: QrSymbol, { alignment }: Version): void {
  const { size } = symbol
  for (let i = 0; i < size; i++) {
    set(symbol, 6, i, i % 2 === 0)
    set(symbol, i, 6, i % 2 === 0)
  }
  const far = size - 4
  // A finder is 7 by 7, with a light border where the symbol goes on.
  for (const [row, column] of [
    [3, 3],
    [3, far],
    [far, 3],
  ] as const) {
    drawRings(symbol, row, column, 4, (ring) => ring !== 2 && ring !== 4)
  }
  for (const row of alignment) {
    for (const column of alignment) {
      const isInFinder =
        (row === 6 && column === 6) || (row === 6 && column > far - 4) || (row > far - 4 && column === 6)
      if (!isInFinder) drawRings(symbol, row, column, 2, (ring) => ring !== 1)
    }
  }
}

function drawRings(
  symbol: QrSymbol,
  row: number,
  column: number,
  reach: number,
  isDark: (ring: number) => boolean,
): void {
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      set(symbol, row + y, column + x, isDark(Math.max(Math.abs(x), Math.abs(y))))
    }
  }
}

/** Stands twice: around the first finder, and divided between the other two. */
function drawFormat(symbol: QrSymbol, bits: number): void {
  const { size } = symbol
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((bits >> bit) & 1) === 1
    const beside = bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit
    const below = bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit
    set(symbol, beside, 8, isDark)
    set(symbol, 8, below, isDark)
  }
  set(symbol, size - 8, 8, true)
}

function drawVersion(symbol: QrSymbol, bits: number): void {
  for (let bit = 0; bit < 18; bit++) {
    const isDark = ((bits >> bit) & 1) === 1
    const [long, short] = [Math.floor(bit / 3), symbol.size - 11 + (bit % 3)]
    set(symbol, long, short, isDark)
    set(symbol, short, long, isDark)
  }
}

/** Two columns at a time from the right, up and down in turns; the column of the timing pattern is left out. */
export function* places({
  size,
  isPattern,
}: Pick<QrSymbol, 'size' | 'isPattern'>): Generator<readonly [number, number]> {
  let isUpward = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--
    for (let step = 0; step < size; step++) {
      const row = isUpward ? size - 1 - step : step
      for (const column of [right, right - 1]) if (isPattern[row * size + column] === 0) yield [row, column]
    }
    isUpward = !isUpward
  }
}

function drawData(symbol: QrSymbol, codewords: Uint8Array, isTurned: (typeof MASKS)[number]): void {
  let bit = 0
  for (const [row, column] of places(symbol)) {
    // A few modules may remain: they are light before they are turned.
    const isDark = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
    symbol.modules[row * symbol.size + column] = Number(isDark !== isTurned(row, column))
    bit++
  }
}
