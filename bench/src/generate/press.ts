import type { Clock } from './clock.js'
import type { Random } from './random.js'
import { DIGITS, HEX, type Line, TIME } from './template.js'

/** Lines that belong together: a message, and its stack trace. */
export type Group = readonly Line[]

/**
 * Prints groups of lines repeatedly, each time with other ids and times.
 *
 * The data is in a few flat arrays. The templates are in the same buffer as the output, before the print area: a line is
 * one `copyWithin`, and no object is accessed. With an object per line it took twice as long, most of it waiting for memory.
 */
export interface Press {
  readonly page: Uint8Array
  /** Where the print area begins. */
  readonly start: number
  /** Prints the group at `at`, and returns where it ends. */
  print(group: number, at: number): number
}

export function createPress(groups: readonly Group[], capacity: number, clock: Clock, random: Random): Press {
  const lines = groups.flat()
  const firstLine = runningSum(groups.map((group) => group.length))
  const firstByte = runningSum(lines.map((line) => line.bytes.length))
  const firstSlot = runningSum(lines.map((line) => line.slots.length))
  const slots = Int32Array.from(lines.flatMap((line) => line.slots))
  const start = firstByte.at(-1)!
  const page = new Uint8Array(start + capacity + longest(groups))
  lines.forEach((line, i) => {
    page.set(line.bytes, firstByte[i])
  })

  const printLine = (line: number, at: number) => {
    page.copyWithin(at, firstByte[line]!, firstByte[line + 1]!)
    for (let i = firstSlot[line]!; i < firstSlot[line + 1]!; i += 3) {
      const kind = slots[i]!
      const offset = at + slots[i + 1]!
      if (kind === HEX) writeHex(page, offset, slots[i + 2]!, random)
      else if (kind === DIGITS) writeDigits(page, offset, slots[i + 2]!, random)
      else clock.write(kind - TIME, page, offset)
    }
    return at + firstByte[line + 1]! - firstByte[line]!
  }
  return {
    page,
    start,
    print(group, at) {
      let end = at
      for (let line = firstLine[group]!; line < firstLine[group + 1]!; line++) end = printLine(line, end)
      return end
    },
  }
}

/** `[0, a, a + b, …]` */
function runningSum(sizes: readonly number[]): Int32Array {
  const sums = new Int32Array(sizes.length + 1)
  sizes.forEach((size, i) => {
    sums[i + 1] = sums[i]! + size
  })
  return sums
}

function longest(groups: readonly Group[]): number {
  return Math.max(...groups.map((group) => group.reduce((sum, line) => sum + line.bytes.length, 0)))
}

const HEX_DIGITS = new TextEncoder().encode('0123456789abcdef')

function writeHex(out: Uint8Array, start: number, width: number, random: Random): void {
  let bits = 0
  for (let i = 0; i < width; i++) {
    if ((i & 7) === 0) bits = random.bits()
    out[start + i] = HEX_DIGITS[bits & 15]!
    bits >>= 4
  }
}

function writeDigits(out: Uint8Array, start: number, width: number, random: Random): void {
  let value = random.bits() >>> 1
  // Decimal numbers do not begin with a zero.
  out[start] = 49 + (value % 9)
  for (let i = 1; i < width; i++) {
    value = (i & 7) === 0 ? random.bits() >>> 1 : (value / 10) | 0
    out[start + i] = 48 + (value % 10)
  }
}
