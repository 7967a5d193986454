/** Data that is not text as it stands, by its first bytes, and what to do about it. */
const UNREADABLE: readonly { readonly starts: readonly number[]; readonly is: string; readonly advice: string }[] = [
  { starts: [0x1f, 0x8b], is: 'gzip-compressed', advice: 'zcat FILE | omen' },
  { starts: [0x28, 0xb5, 0x2f, 0xfd], is: 'zstd-compressed', advice: 'zstdcat FILE | omen' },
  { starts: [0x42, 0x5a, 0x68], is: 'bzip2-compressed', advice: 'bzcat FILE | omen' },
  { starts: [0xfd, 0x37, 0x7a, 0x58, 0x5a], is: 'xz-compressed', advice: 'xzcat FILE | omen' },
  { starts: [0xff, 0xfe], is: 'UTF-16 text', advice: 'iconv -f UTF-16 -t UTF-8 FILE | omen' },
  { starts: [0xfe, 0xff], is: 'UTF-16 text', advice: 'iconv -f UTF-16 -t UTF-8 FILE | omen' },
]

/**
 * Throws when data cannot be read as lines, given its first bytes: scanning it would find nothing and say nothing.
 *
 * @example
 * refuseUnreadable(firstBytes) // Error: gzip-compressed: try zcat FILE | omen
 */
export function refuseUnreadable(head: Uint8Array): void {
  const found = UNREADABLE.find(({ starts }) => starts.every((byte, index) => head[index] === byte))
  if (found) throw new Error(`${found.is}: try ${found.advice}`)
}
