import type { Transform } from 'node:stream'
import { createCompressedBytes } from './compressed-bytes.js'
import { corrupt, type Decompressor, type ReadBytes, truncated } from './decompressor.js'
import { readZstdPieces } from './zstd-frames.js'

/** Deflate expands at most 1032 times: 32 KiB become at most 33 MiB, and only in an archive built to do harm. */
const GZIP_PIECE = 32 * 1024

/** Large enough that a piece of a log usually decompresses to one or two chunks. */
const CHUNK = 256 * 1024

/** Decompresses gzip data of any number of members. Zeros may follow it. */
export const gunzip: Decompressor = async function* (read) {
  const { createGunzip } = process.getBuiltinModule('node:zlib')
  const decoder = createThreadDecoder(createGunzip({ chunkSize: CHUNK }))
  const piece = new Uint8Array(GZIP_PIECE)
  try {
    yield* stepAhead(async () => {
      const bytes = await read(piece)
      const chunks = bytes === 0 ? await decoder.finish() : await decoder.decode(piece.subarray(0, bytes))
      return { chunks, isLast: bytes === 0 || decoder.isOver || decoder.error !== undefined }
    })
  } finally {
    decoder.close()
  }
  if (decoder.error) throw decoder.error.code === 'Z_BUF_ERROR' ? truncated('gzip') : corrupt('gzip')
}

export type CreateZstdDecoder = (options: { readonly chunkSize: number }) => Transform

/** Decompresses zstd data with Node's own decoder. */
export async function* unzstdWithZlib(read: ReadBytes, createDecoder: CreateZstdDecoder): ReturnType<Decompressor> {
  const pieces = readZstdPieces(createCompressedBytes(read))
  const decoder = createThreadDecoder(createDecoder({ chunkSize: CHUNK }))
  try {
    yield* stepAhead(async () => {
      const { done, value } = await pieces.next()
      const chunks = await (done ? decoder.finish() : decoder.decode(value))
      return { chunks, isLast: done === true || decoder.error !== undefined }
    })
  } finally {
    decoder.close()
  }
  if (decoder.error) throw corrupt('zstd')
}

/** One of zlib's decoders, which works on another thread. */
interface ThreadDecoder {
  /** Decompresses a piece, which must not change until the promise resolves. */
  decode(piece: Uint8Array): Promise<readonly Uint8Array[]>
  /** Ends the data. */
  finish(): Promise<readonly Uint8Array[]>
  /** The error, if there was one. The chunks decompressed before it are returned first. */
  readonly error: NodeJS.ErrnoException | undefined
  /** Whether the data has ended. Padding may follow it. */
  readonly isOver: boolean
  close(): void
}

/**
 * Drives one of zlib's streams step by step. The stream is never paused: all chunks of a piece are taken at once, so that no
 * chunk is lost in a buffer when a later piece is corrupt. The size of the pieces bounds how much that is.
 */
function createThreadDecoder(stream: Transform): ThreadDecoder {
  let chunks: Uint8Array[] = []
  let error: NodeJS.ErrnoException | undefined
  let isOver = false
  let settle = () => {}

  stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  stream.on('error', (reason) => {
    error = reason
    settle()
  })
  stream.on('end', () => {
    isOver = true
    settle()
  })

  async function step(start: () => void): Promise<readonly Uint8Array[]> {
    await new Promise<void>((resolve) => {
      settle = resolve
      start()
    })
    // Chunks that are still in the stream's buffer: `read` passes them to the listener for `data`.
    while (stream.read() !== null);
    const taken = chunks
    chunks = []
    return taken
  }

  return {
    decode: (piece) => step(() => stream.write(piece, () => settle())),
    finish: () => step(() => stream.end()),
    get error() {
      return error
    },
    get isOver() {
      return isOver
    },
    close: () => stream.destroy(),
  }
}

interface Step {
  readonly chunks: readonly Uint8Array[]
  readonly isLast: boolean
}

/** Runs the next step on another thread while the caller uses the chunks of the last one. A step that fails is thrown in its turn. */
async function* stepAhead(step: () => Promise<Step>): AsyncGenerator<Uint8Array, void, void> {
  let next = step()
  for (;;) {
    const { chunks, isLast } = await next
    if (isLast) {
      yield* chunks
      return
    }
    next = step()
    next.catch(() => {})
    yield* chunks
  }
}
