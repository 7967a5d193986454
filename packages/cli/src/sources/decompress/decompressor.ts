import { Failure } from '../../failure.js'
import type { Compression } from '../compression.js'

/** Reads the next bytes of compressed data into `into` and returns their number; 0 at the end. */
export type ReadBytes = (into: Uint8Array) => number | Promise<number>

/**
 * Decompresses data chunk by chunk. A chunk is valid until the next one is requested. An error is thrown as a `Failure`, after
 * all data that was decompressed before it.
 */
export type Decompressor = (read: ReadBytes) => AsyncGenerator<Uint8Array, void, void>

/** The data ended before it was complete. */
export function truncated(compression: Compression): Failure {
  return new Failure('Data', `truncated ${compression} data: the archive ends early`)
}

export function corrupt(compression: Compression, options?: ErrorOptions): Failure {
  return new Failure('Data', `corrupt ${compression} data: check the archive with ${compression} -t`, options)
}

/** The data needs more memory than this tool allows, or a feature that it does not have. */
export function unsupported(compression: Compression, needs: string, command: string): Failure {
  return new Failure('Data', `${compression} data that needs ${needs}: unpack it with ${command}`)
}
