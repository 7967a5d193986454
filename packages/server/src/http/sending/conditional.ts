const TAGS = /(W\/)?"([^"]*)"/g

/**
 * Whether one of the tags of an `If-None-Match` header is that of what would be sent, weakly compared as RFC 9110 has it there.
 *
 * @example
 * matchesTag('W/"a", "b"', '"a"') // true
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = tag.replace(/^W\//, '')
  return [...header.matchAll(TAGS)].some(([, , value]) => `"${value}"` === opaque)
}

/** Which bytes are wanted: from `start` up to, and without, `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const SINGLE = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i

/**
 * Reads the `Range` of a request for a file. What cannot be understood, or asks for several ranges, asks for the whole
 * (RFC 9110, section 14.2, allows that); a range that begins behind the end is `unsatisfiable`.
 *
 * @example
 * readByteRange('bytes=-500', 1200) // { start: 700, end: 1200 }
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = SINGLE.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') {
    const length = Number(last)
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}
