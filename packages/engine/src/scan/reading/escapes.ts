const ESCAPE = 27
const BEL = 7
const BACKSLASH = 92

/** The bytes after an escape byte that start a string: `]` (OSC: a title or a hyperlink), `P`, `X`, `^` and `_`. */
const STRINGS = new Set(Array.from(']PX^_', (letter) => letter.charCodeAt(0)))

/**
 * Removes the escape sequences of terminals (ECMA-48: colours, cursor movements, hyperlinks) from the bytes from `start` to
 * `end`, in place; returns the new end. An escape byte that starts no complete sequence is removed alone, so that the text
 * has none.
 *
 * @example
 * const text = new TextEncoder().encode('\x1b[31mFATAL\x1b[0m')
 * text.subarray(0, removeEscapes(text, 0, text.length)) // FATAL
 */
export function removeEscapes(bytes: Uint8Array, start: number, end: number): number {
  const text = bytes.subarray(0, end)
  const indexOfEscape = (from: number) => {
    const at = text.indexOf(ESCAPE, from)
    return at < 0 ? end : at
  }
  let from = indexOfEscape(start)
  let to = from
  // A text is searched only once for the end of a string, so that the time is proportional to its length.
  let unterminated = false
  while (from < end) {
    let next = sequenceEnd(text, from + 1)
    if (STRINGS.has(text[from + 1])) {
      next = unterminated ? from + 1 : stringEnd(text, from + 1)
      unterminated = next === from + 1
    }
    from = indexOfEscape(next)
    bytes.copyWithin(to, next, from)
    to += from - next
  }
  return to
}

/** The end of the sequence whose escape byte is before `start`; `start` if it is not one, or is not complete. */
function sequenceEnd(text: Uint8Array, start: number): number {
  if (text[start] === 91) {
    const intermediates = skip(text, skip(text, start + 1, 0x30, 0x3f), 0x20, 0x2f)
    return isIn(text[intermediates], 0x40, 0x7e) ? intermediates + 1 : start
  }
  const final = skip(text, start, 0x20, 0x2f)
  return isIn(text[final], 0x30, 0x7e) ? final + 1 : start
}

/** The end of a string, which ends with BEL or with ESC and a backslash. */
function stringEnd(text: Uint8Array, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === BEL) return at + 1
    if (text[at] === ESCAPE && text[at + 1] === BACKSLASH) return at + 2
  }
  return start
}

function skip(text: Uint8Array, start: number, first: number, last: number): number {
  let at = start
  while (isIn(text[at], first, last)) at++
  return at
}

/** Past the end of the text there is no byte, which is in no range. */
function isIn(byte: number | undefined, first: number, last: number): boolean {
  return byte !== undefined && byte >= first && byte <= last
}
