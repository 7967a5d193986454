import type { Bounds } from './capture.js'
import { rangesHave } from './charset.js'
import { findFirstCharacters } from './first.js'
import { ASSERT, MATCH, type Program, SPLIT, TAKE } from './program.js'
import { placesBetween } from './simulate.js'
import { readCode } from './text.js'

/** Pairs of an instruction and a position that may be remembered: 32 KiB of bits. */
const MAX_PAIRS = 1 << 18

/** Whether a text is short enough for `createBacktracker`. */
export const canBacktrack = (program: Program, text: string): boolean =>
  program.op.length * (text.length + 1) <= MAX_PAIRS

/**
 * Makes a search that tries one way after the other and remembers every pair of instruction and position that led nowhere,
 * so that none is tried twice and the time stays proportional to the text. On entries of usual length this is several times
 * faster than following all ways at once, with the same result.
 */
export function createBacktracker(program: Program): (text: string) => Bounds | undefined {
  const { op, out, arg, sets, start } = program
  const { none, ascii } = findFirstCharacters(program)
  const visited = new Int32Array(MAX_PAIRS >> 5)
  const stack: number[] = []
  let from = -1
  let to = -1

  const isNew = (pc: number, at: number, width: number): boolean => {
    const pair = pc * width + at
    const bit = 1 << (pair & 31)
    if ((visited[pair >> 5]! & bit) !== 0) return false
    visited[pair >> 5]! |= bit
    return true
  }

  /** Tries to match from `first` on. The stack has what is still to try: pairs, or `-1 - slot` with a bound to restore. */
  const tryFrom = (text: string, first: number): boolean => {
    const width = text.length + 1
    stack.push(start, first)
    while (stack.length > 0) {
      let at = stack.pop()!
      let pc = stack.pop()!
      if (pc === -1) from = at
      if (pc === -2) to = at
      while (pc >= 0 && isNew(pc, at, width)) {
        const kind = op[pc]
        if (kind === MATCH) return true
        if (kind === TAKE) {
          const code = at < text.length ? readCode(text, at) : -1
          if (code < 0 || !rangesHave(sets[arg[pc]!]!, code)) break
          at += code > 0xffff ? 2 : 1
        } else if (kind === SPLIT) {
          stack.push(arg[pc]!, at)
        } else if (kind === ASSERT) {
          if ((arg[pc]! & placesAt(text, at)) === 0) break
        } else {
          stack.push(-1 - arg[pc]!, arg[pc] === 0 ? from : to)
          if (arg[pc] === 0) from = at
          else to = at
        }
        pc = out[pc]!
      }
    }
    return false
  }

  return (text) => {
    visited.fill(0, 0, ((op.length * (text.length + 1)) >> 5) + 1)
    const last = none ? 0 : text.length
    for (let first = 0; first <= last; first++) {
      if (first > 0 && ascii[text.charCodeAt(first)] === 0) continue
      from = -1
      to = -1
      stack.length = 0
      if (tryFrom(text, first)) return { start: from, end: to }
      if (first < text.length && readCode(text, first) > 0xffff) first++
    }
    return undefined
  }
}

/** The places that hold at a position, which is never within a pair of surrogates. */
function placesAt(text: string, at: number): number {
  const unit = at > 0 ? text.charCodeAt(at - 1) : -1
  return placesBetween(unit, at < text.length ? text.charCodeAt(at) : -1)
}
