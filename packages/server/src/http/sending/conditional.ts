const TAGS = /(W\/)?"([^"]*)"/g

/**
 * Whether an `If-None-Match` header contains the tag of the response, by weak comparison (RFC 9110, section 13.1.2).
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

/** The bytes from `start` to `end`; the byte at `end` is not included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const SINGLE_RANGE = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i

/**
 * Reads the `Range` header of a request for a file. A header that is malformed or asks for several ranges means the whole file
 * (RFC 9110, section 14.2, allows that); a range that starts after the end of the file is `unsatisfiable`.
 *
 * @example
 * readByteRange('bytes=-500', 1200) // { start: 700, end: 1200 }
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = SINGLE_RANGE.exec(header ?? '') ?? []
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
