// Removes the escape sequences of terminals (ECMA-48): the twin of src/scan/reading/escapes.ts.

const ESCAPE: u32 = 27

/** Whether no string sequence from here on in the text has an end, so that a text is searched for it only once. */
let unterminated: bool = false

/** Removes every escape sequence of a text in place; returns its new end. An escape byte without one is removed too. */
export function removeEscapes(start: usize, end: usize): usize {
  unterminated = false
  let from = findEscape(start, end)
  let to = from
  while (from < end) {
    const next = sequenceEnd(from + 1, end)
    from = findEscape(next, end)
    memory.copy(to, next, from - next)
    to += from - next
  }
  return to
}

/** The first escape byte from `start` on, or `end`. */
function findEscape(start: usize, end: usize): usize {
  for (let at = start; at < end; at += 16) {
    const hits = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>ESCAPE)))
    if (hits != 0) return min(at + ctz(hits), end)
  }
  return end
}

/** The end of the sequence whose escape byte is before `start`; `start` if it is not one, or is not complete. */
function sequenceEnd(start: usize, end: usize): usize {
  if (start >= end) return start
  const first = <u32>load<u8>(start)
  if (first == 91) return controlEnd(start, end)
  // ] P X ^ _ start a string: OSC with a title or a hyperlink, and others.
  if (first == 93 || first == 80 || first == 88 || first == 94 || first == 95) return stringEnd(start, end)
  let at = start
  while (at < end && <u32>load<u8>(at) - 32 < 16) at++
  return at < end && <u32>load<u8>(at) - 48 < 79 ? at + 1 : start
}

/** CSI: parameters, intermediate bytes, a final byte. */
function controlEnd(start: usize, end: usize): usize {
  let at = start + 1
  while (at < end && <u32>load<u8>(at) - 48 < 16) at++
  while (at < end && <u32>load<u8>(at) - 32 < 16) at++
  return at < end && <u32>load<u8>(at) - 64 < 63 ? at + 1 : start
}

/** A string ends with BEL or with ESC and a backslash. */
function stringEnd(start: usize, end: usize): usize {
  if (unterminated) return start
  for (let at = start + 1; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte == 7) return at + 1
    if (byte == ESCAPE && at + 1 < end && load<u8>(at, 1) == 92) return at + 2
  }
  unterminated = true
  return start
}
