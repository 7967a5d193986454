// Reads bytes as entries: the twin of src/scan/reading/plain.ts. The state block is described in
// src/scan/kernel/reading-layout.ts.

import { KIND, LINE_BYTE, LONGEST, PARTIAL, STATE, WANTS } from './constants.generated'
import { takeCri, takeDocker } from './reading-containers'
import { emitOpen, emitPartial, noteCut, partialOf } from './reading-entries'
import { removeEscapes } from './reading-escapes'
import { findLineFeed, lineBytes, markLength, noteLine } from './reading-lines'
import { useLocal } from './reading-local'
import { takeText } from './reading-text'
import { prepareTimes } from './reading-time'

/** Reads lines until the host must act; returns one of WANTS. */
export function readLines(state: usize): u32 {
  const limit = <usize>load<u32>(state, STATE.limit << 2)
  const final = load<u32>(state, STATE.final << 2) == 1
  const capacity = load<u32>(state, STATE.capacity << 2)
  prepareTimes(load<u32>(state, STATE.zones << 2), load<i64>(state, STATE.yearLimit << 2))
  useLocal(state + (STATE.local << 2))
  store<u32>(state, 0, STATE.count << 2)
  while (true) {
    if (load<u32>(state, STATE.count << 2) == capacity) return WANTS.delivery
    const start = <usize>load<u32>(state, STATE.at << 2)
    assert(start <= limit)
    const searched = <usize>load<u32>(state, STATE.searched << 2)
    const lineFeed = findLineFeed(searched, limit, load<u32>(state, STATE.lineBytes << 2))
    const isLine = lineFeed < limit
    const next = isLine ? lineFeed + 1 : limit
    if (load<u32>(state, STATE.skipping << 2) == 1) {
      passTo(state, next, isLine || final)
      if (!isLine && !final) return WANTS.bytes
      store<u32>(state, 0, STATE.skipping << 2)
      continue
    }
    if (!isLine && next - start < <usize>LONGEST + 2) {
      store<u32>(state, <u32>next, STATE.searched << 2)
      store<u32>(state, lineBytes, STATE.lineBytes << 2)
      if (!final) return WANTS.bytes
      if (next == start) return finishEntries(state)
    }
    const lineEnd = isLine && lineFeed > start && load<u8>(lineFeed - 1) == 13 ? lineFeed - 1 : lineFeed
    const cut = min(lineEnd, start + <usize>LONGEST)
    if (cut < lineEnd) cutLine(state, start, cut)
    const end = lineBytes & LINE_BYTE.escape ? withoutEscapes(start, cut) : cut
    const wants = takeLine(state, start, end, lineBytes & LINE_BYTE.backslash)
    if (wants == WANTS.deliveryFirst) return WANTS.delivery
    if (wants == WANTS.table) return wants
    passTo(state, next, isLine || final)
    if (!isLine && !final) store<u32>(state, 1, STATE.skipping << 2)
    if (wants != WANTS.bytes) return wants
  }
}

/** A line is longer than LONGEST: only the part before the cut counts, however much of the line was searched. */
function cutLine(state: usize, start: usize, end: usize): void {
  noteCut(state)
  noteLine(start, end)
}

/**
 * Removes the escape sequences of a line; returns its new end. The bytes up to the old end become escape bytes, so that the line
 * can be read again if the host must act first.
 */
function withoutEscapes(start: usize, end: usize): usize {
  const textEnd = removeEscapes(start, end)
  memory.fill(textEnd, 27, end - textEnd)
  noteLine(start, textEnd)
  return textEnd
}

@inline
function passTo(state: usize, next: usize, isLine: bool): void {
  store<u32>(state, <u32>next, STATE.at << 2)
  store<u32>(state, <u32>next, STATE.searched << 2)
  store<u32>(state, 0, STATE.lineBytes << 2)
  if (isLine) store<u32>(state, load<u32>(state, STATE.line << 2) + 1, STATE.line << 2)
}

function finishEntries(state: usize): u32 {
  emitOpen(state)
  const first = partialOf(state, 0)
  const second = partialOf(state, 1)
  const a = load<u32>(first, PARTIAL.line << 2)
  const b = load<u32>(second, PARTIAL.line << 2)
  if (a == 0 && b == 0) return WANTS.bytes
  if (load<u32>(state, STATE.count << 2) == 0) emitPartial(state, b == 0 || (a != 0 && a < b) ? first : second)
  return WANTS.delivery
}

@inline
function takeLine(state: usize, lineStart: usize, end: usize, flags: u32): u32 {
  const start = load<u32>(state, STATE.line << 2) == 1 ? lineStart + markLength(lineStart, end) : lineStart
  const kind = load<u32>(state, STATE.kind << 2)
  if (kind == KIND.cri) return takeCri(state, start, end, flags)
  if (kind == KIND.docker) return takeDocker(state, start, end, flags)
  return takeText(state, start, end, flags)
}
