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
