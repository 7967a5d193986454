/** The compressions that can be read. */
export type Compression = 'gzip' | 'zstd' | 'bzip2' | 'xz'

/** The first bytes of a kind of data. `undefined` matches any byte. */
export interface Signature<Kind> {
  readonly kind: Kind
  readonly bytes: readonly (number | undefined)[]
}

const ANY = undefined

/** A bzip2 stream of any level. The last six bytes are the first digits of π, or of √π if it is empty. */
const BZIP2_BLOCK = [0x42, 0x5a, 0x68, ANY, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59]
const BZIP2_EMPTY = [0x42, 0x5a, 0x68, ANY, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90]

export const COMPRESSIONS: readonly Signature<Compression>[] = [
  // The third byte is the method: deflate is the only one.
  { kind: 'gzip', bytes: [0x1f, 0x8b, 0x08] },
  { kind: 'zstd', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  // Skippable frames: an archive of pzstd starts with one.
  ...Array.from({ length: 16 }, (_, low) => ({ kind: 'zstd' as const, bytes: [0x50 + low, 0x2a, 0x4d, 0x18] })),
  { kind: 'bzip2', bytes: BZIP2_BLOCK },
  { kind: 'bzip2', bytes: BZIP2_EMPTY },
  { kind: 'xz', bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
]

/** The kind of the first signature with which `head` starts. */
export function findSignature<Kind>(head: Uint8Array, signatures: readonly Signature<Kind>[]): Kind | undefined {
  return signatures.find(({ bytes }) => head.length >= bytes.length && matches(head, bytes, bytes.length))?.kind
}

/** Whether `head` may start with one of `signatures` when more bytes are available. */
export function mayBecome<Kind>(head: Uint8Array, signatures: readonly Signature<Kind>[]): boolean {
  return signatures.some(({ bytes }) => head.length < bytes.length && matches(head, bytes, head.length))
}

function matches(head: Uint8Array, bytes: readonly (number | undefined)[], length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[i] !== ANY && bytes[i] !== head[i]) return false
  return true
}

/**
 * Detects the compression by the first bytes, whatever the name; undefined for none.
 *
 * @example
 * detectCompression(Uint8Array.of(0x1f, 0x8b, 0x08, 0x00)) // 'gzip'
 */
export function detectCompression(head: Uint8Array): Compression | undefined {
  return findSignature(head, COMPRESSIONS)
}
