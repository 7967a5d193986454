import { Failure } from '../../failure.js'
import type { Compression } from '../compression.js'

/** Gives the next bytes of compressed data; 0 at the end. */
export type ReadBytes = (into: Uint8Array) => number | Promise<number>

/**
 * Unpacks data piece by piece. A piece is the caller's until it asks for the next one. What was unpacked before a fault comes
 * first, then the fault is thrown as a `Failure`.
 */
export type Decompressor = (read: ReadBytes) => AsyncGenerator<Uint8Array, void, void>

/** The end came before the data was complete. */
export function truncated(compression: Compression): Failure {
  return new Failure('Data', `truncated ${compression} data: the archive ends early`)
}

/** The data is not what was packed. */
export function corrupt(compression: Compression, options?: ErrorOptions): Failure {
  return new Failure('Data', `corrupt ${compression} data: check the archive with ${compression} -t`, options)
}

/** The data needs more than this tool is ready to give, or something that it does not have. */
export function unsupported(compression: Compression, needs: string, command: string): Failure {
  return new Failure('Data', `${compression} data that needs ${needs}: unpack it with ${command}`)
}
