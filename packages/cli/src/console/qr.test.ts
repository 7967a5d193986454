import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderQr } from './qr.js'
import type { Screen } from './screen.js'

const URL = 'https://omen.example.com/device?user_code=WDJB-MJHT'

const screen = (more: Partial<Screen> = {}): Screen => ({
  isTerminal: true,
  colours: true,
  columns: 80,
  rows: 40,
  write: () => {},
  ...more,
})

/** The lines of a rendered code without their colours. */
function linesOf(shown: string): string[] {
  const lines = shown.split('\n').slice(0, -1)
  return lines.map((line) => line.replace('\u001b[38;5;16;48;5;231m', '').replace('\u001b[0m', ''))
}

/** The modules inside the margin of a rendered code, dark ones 1. */
function modulesOf(shown: string): number[][] {
  const rows = linesOf(shown).flatMap((line) => [
    [...line].map((character) => Number('▀█'.includes(character))),
    [...line].map((character) => Number('▄█'.includes(character))),
  ])
  const first = rows.findIndex((row) => row.includes(1))
  const left = rows[first]!.indexOf(1)
  const size = rows[first]!.lastIndexOf(1) - left + 1
  return rows.slice(first, first + size).map((row) => row.slice(left, left + size))
}

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

/** By version, then by the two bits of the level: the number of blocks, and the error correction bytes of each. */
const BLOCKS: Readonly<Record<number, Readonly<Record<number, readonly [count: number, correction: number]>>>> = {
  1: { 1: [1, 7], 0: [1, 10], 3: [1, 13], 2: [1, 17] },
  2: { 1: [1, 10], 0: [1, 16], 3: [1, 22], 2: [1, 28] },
  3: { 1: [1, 15], 0: [1, 26] },
  4: { 1: [1, 20], 0: [2, 18] },
  5: { 1: [1, 26], 0: [2, 24] },
}

/** Reads a code of version 1 to 5 as ISO/IEC 18004 defines it; throws for an error in it, which a scanner would correct. */
function decode(modules: readonly (readonly number[])[]): string {
  const size = modules.length
  const format = [
    ...[0, 1, 2, 3, 4, 5, 7, 8].map((row) => modules[row]![8]!),
    ...[7, 5, 4, 3, 2, 1, 0].map((column) => modules[8]![column]!),
  ].reduce((sum, bit, index) => sum | (bit << index), 0)
  const level = ((format ^ 0x5412) >> 13) & 3
  const mask = MASKS[((format ^ 0x5412) >> 10) & 7]!
  const bits = dataPositions(size).map(([row, column]) => modules[row]![column]! ^ Number(mask(row, column)))
  const bytes = Array.from({ length: Math.floor(bits.length / 8) }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((value, bit) => 2 * value + bit, 0),
  )
  const [count, correction] = BLOCKS[(size - 17) / 4]![level]!
  const blocks = Array.from({ length: count }, (_, block) => bytes.filter((_, index) => index % count === block))
  for (const block of blocks) {
    for (let root = 0, power = 1; root < correction; root++, power = multiply(power, 2)) {
      const syndrome = block.reduce((sum, byte) => multiply(sum, power) ^ byte, 0)
      if (syndrome !== 0) throw new Error('a block has errors')
    }
  }
  const data = blocks.flatMap((block) => block.slice(0, -correction))
  const stream = data.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  if (!stream.startsWith('0100')) throw new Error('the code is not in byte mode')
  const length = Number.parseInt(stream.slice(4, 12), 2)
  const content = Array.from({ length }, (_, i) => Number.parseInt(stream.slice(12 + 8 * i, 20 + 8 * i), 2))
  return Buffer.from(content).toString()
}

/** The positions of data modules, in the order in which they are written: up and down, two columns at a time. */
function dataPositions(size: number): [row: number, column: number][] {
  const isFunction = (row: number, column: number) =>
    (row < 9 && (column < 9 || column >= size - 8)) ||
    (row >= size - 8 && column < 9) ||
    row === 6 ||
    column === 6 ||
    (size > 21 && Math.abs(row - size + 7) <= 2 && Math.abs(column - size + 7) <= 2)
  const positions: [number, number][] = []
  for (let right = size - 1, isUpward = true; right > 0; right -= right === 8 ? 3 : 2, isUpward = !isUpward) {
    for (let step = 0; step < size; step++) {
      const row = isUpward ? size - 1 - step : step
      for (const column of [right, right - 1]) if (!isFunction(row, column)) positions.push([row, column])
    }
  }
  return positions
}

/** Multiplies in the field of 256 elements that QR codes use. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0)
    if ((b >> bit) & 1) product ^= a
  }
  return product
}

describe('a QR code on a terminal', () => {
  it('decodes to the address that it was rendered for', () => {
    expect(decode(modulesOf(renderQr(URL, screen(), 6)!))).toBe(URL)
  })

  it('decodes to any string of up to 106 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 26 }), (text) => {
        expect(decode(modulesOf(renderQr(text, screen(), 0)!))).toBe(Buffer.from(text).toString())
      }),
      { numRuns: 10 },
    )
    // The longest string for each version and level of error correction up to version 5 at level L.
    for (const length of [0, 7, 11, 14, 17, 20, 26, 32, 42, 53, 62, 78, 84, 106]) {
      expect(decode(modulesOf(renderQr('x'.repeat(length), screen(), 0)!))).toHaveLength(length)
    }
  })

  it('has a line for two rows of modules, dark on light, with a margin', () => {
    const lines = linesOf(renderQr(URL, screen(), 6)!)
    expect(lines).toHaveLength(19)
    for (const line of lines) expect(line).toMatch(/^ {4}[ ▀▄█]{29} {4}$/)
    expect(lines.slice(0, 3)).toEqual([' '.repeat(37), ' '.repeat(37), expect.stringMatching(/^ {4}█▀▀▀▀▀█ /)])
  })

  it('has a smaller margin in a window with few rows', () => {
    expect(linesOf(renderQr(URL, screen({ rows: 24 }), 6)!)).toHaveLength(17)
  })

  it.each<[string, Partial<Screen>]>([
    ['a pipe', { isTerminal: false }],
    ['a terminal without colours', { colours: false }],
    ['a narrow window', { columns: 32 }],
    ['a window with too few rows', { rows: 20 }],
  ])('is left out in %s', (_, more) => {
    expect(renderQr(URL, screen(more), 6)).toBeUndefined()
  })

  it('is left out for an address of more than 271 bytes', () => {
    const large = screen({ columns: 500, rows: 500 })
    expect(renderQr('x'.repeat(271), large, 0)).toBeDefined()
    expect(renderQr('x'.repeat(272), large, 0)).toBeUndefined()
  })
})
