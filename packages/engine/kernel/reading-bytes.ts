// Classes of bytes: the twin of the byte tests in src/time/program.ts and run.ts.

@inline
export function isDigit(byte: u32): bool {
  return byte - 48 < 10
}

@inline
export function isSpace(byte: u32): bool {
  return byte == 32 || byte == 9
}

/** The address of the next token separator: a space, tab, bar, comma or semicolon; or `end`. */
export function findSeparator(start: usize, end: usize): usize {
  for (let at = start; at < end; at += 16) {
    const bytes = v128.load(at)
    const spaces = v128.or(i8x16.eq(bytes, i8x16.splat(32)), i8x16.eq(bytes, i8x16.splat(9)))
    const columns = v128.or(
      i8x16.eq(bytes, i8x16.splat(124)),
      v128.or(i8x16.eq(bytes, i8x16.splat(44)), i8x16.eq(bytes, i8x16.splat(59))),
    )
    const hits = i8x16.bitmask(v128.or(spaces, columns))
    if (hits != 0) return min(at + ctz(hits), end)
  }
  return end
}

@inline
export function isSeparator(byte: u32): bool {
  return byte == 32 || byte == 9 || byte == 124 || byte == 44 || byte == 59
}

@inline
export function isWordByte(byte: u32): bool {
  return (byte | 32) - 97 < 26 || byte - 48 < 10 || byte == 95 || byte >= 128
}

@inline
export function holds(at: usize, text: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) if (load<u8>(at + i) != load<u8>(text + i)) return false
  return true
}

@inline
export function isIn(classAt: usize, byte: u32): bool {
  const count = <usize>load<u8>(classAt)
  for (let i: usize = 0; i < count; i++) {
    const range = classAt + 1 + 2 * i
    if (byte >= <u32>load<u8>(range) && byte <= <u32>load<u8>(range, 1)) return true
  }
  return false
}
