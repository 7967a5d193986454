import type { QrSymbol } from './symbol.js'

/** A finder from its side, with light on one side of it: what a reader could take for one. */
const LIKE_A_FINDER = [0b10111010000, 0b00001011101]
const FINDER_BITS = 11

/**
 * How hard a symbol is to read, by the four rules of the standard: long runs of one colour, squares of one colour, what looks
 * like a finder, and more of one colour than of the other. The mask with the smallest sum is taken.
 */
export function penaltyOf(symbol: QrSymbol): number {
  return alongLines(symbol) + squares(symbol) + imbalance(symbol)
}

function alongLines({ size, modules }: QrSymbol): number {
  let penalty = 0
  for (let line = 0; line < size; line++) {
    penalty += alongLine(size, (place) => modules[line * size + place]!)
    penalty += alongLine(size, (place) => modules[place * size + line]!)
  }
  return penalty
}

function alongLine(size: number, at: (place: number) => number): number {
  let penalty = 0
  let run = 0
  let window = 0
  for (let place = 0; place < size; place++) {
    run = place > 0 && at(place) === at(place - 1) ? run + 1 : 1
    if (run === 5) penalty += 3
    else if (run > 5) penalty++
    window = ((window << 1) | at(place)) & ((1 << FINDER_BITS) - 1)
    if (place >= FINDER_BITS - 1 && LIKE_A_FINDER.includes(window)) penalty += 40
  }
  return penalty
}

function squares({ size, modules }: QrSymbol): number {
  let penalty = 0
  for (let row = 1; row < size; row++) {
    for (let column = 1; column < size; column++) {
      const place = row * size + column
      const dark = modules[place]! + modules[place - 1]! + modules[place - size]! + modules[place - size - 1]!
      if (dark % 4 === 0) penalty += 3
    }
  }
  return penalty
}

/** Ten for every whole 5 % by which the dark part differs from a half. */
function imbalance({ modules }: QrSymbol): number {
  const dark = modules.reduce((sum, module) => sum + module, 0)
  return Math.floor(Math.abs(20 * dark - 10 * modules.length) / modules.length) * 10
}
