import { createCompressedBytes } from './compressed-bytes.js'
import { corrupt, type Decompressor, unsupported } from './decompressor.js'
import { type CreateZstdDecoder, unzstdWithZlib } from './zlib.js'
import { readZstdPieces } from './zstd-frames.js'

/**
 * Decompresses zstd data of any number of frames: with Node's zlib where it has zstd (from 22.15 on), otherwise with the
 * reference decoder in WebAssembly. See docs/decisions/0004-zstd-decoder.md.
 */
export const unzstd: Decompressor = async function* (read) {
  const { createZstdDecompress } = process.getBuiltinModule('node:zlib') as { createZstdDecompress?: CreateZstdDecoder }
  yield* createZstdDecompress ? unzstdWithZlib(read, createZstdDecompress) : unzstdWithWasm(read)
}

/** Decompresses zstd data with WebAssembly, on this thread. */
export const unzstdWithWasm: Decompressor = async function* (read) {
  loading ??= loadZstd()
  const decoder = createDecoder(await loading)
  try {
    for await (const piece of readZstdPieces(createCompressedBytes(read))) yield* decoder.decode(piece)
  } finally {
    decoder.close()
  }
}

/** The functions of zstd's C library that the module exports. Pointers and sizes are numbers; 0 is the null pointer. */
interface Zstd {
  readonly memory: { readonly buffer: ArrayBuffer }
  malloc(size: number): number
  free(pointer: number): void
  ZSTD_createDCtx(): number
  ZSTD_freeDCtx(context: number): void
  /** A negative result is an error. */
  ZSTD_decompressStream(context: number, output: number, input: number): number
}

let loading: Promise<Zstd> | undefined

/**
 * Loads the library and takes its exports. The library's own `decodeStreaming` is not used: it hides the error of a corrupt
 * frame, repeats it for ever, and then leaks the window.
 */
async function loadZstd(): Promise<Zstd> {
  const { ZSTDDecoder } = await import('zstddec/stream')
  return new Promise((resolve, reject) => {
    const library = new ZSTDDecoder()
    const { _init } = library
    library._init = (source) => {
      _init(source)
      resolve(source.instance.exports as unknown as Zstd)
    }
    library.init().catch(reject)
  })
}

/** ZSTD_error_memory_allocation. */
const OUT_OF_MEMORY = -64

/** The largest block, so that the decoder never has to hold back output. */
const OUTPUT_BYTES = 128 * 1024

/** ZSTD_inBuffer and ZSTD_outBuffer: a pointer, a size and a position of 4 bytes each. */
const BUFFER_BYTES = 12

function createDecoder(zstd: Zstd) {
  const context = zstd.ZSTD_createDCtx()
  const input = zstd.malloc(2 * BUFFER_BYTES + OUTPUT_BYTES)
  const output = input + BUFFER_BYTES
  const target = output + BUFFER_BYTES
  // A copy: when another decoder's memory grows, views of it become invalid.
  const chunk = new Uint8Array(OUTPUT_BYTES)

  function setBuffer(buffer: number, pointer: number, size: number, position: number): void {
    new Uint32Array(zstd.memory.buffer, buffer, 3).set([pointer, size, position])
  }
  const positionOf = (buffer: number) => new Uint32Array(zstd.memory.buffer, buffer, 3)[2]

  return {
    /** Decompresses a piece. A chunk is valid until the next one is requested. */
    *decode(piece: Uint8Array): Generator<Uint8Array, void, void> {
      const source = zstd.malloc(piece.length)
      if (context === 0 || input === 0 || source === 0) throw outOfMemory()
      try {
        new Uint8Array(zstd.memory.buffer).set(piece, source)
        for (let used = 0, filled = 0; used < piece.length || filled === OUTPUT_BYTES; ) {
          setBuffer(input, source, piece.length, used)
          setBuffer(output, target, OUTPUT_BYTES, 0)
          const result = zstd.ZSTD_decompressStream(context, output, input)
          if (result < 0) throw result === OUT_OF_MEMORY ? outOfMemory() : corrupt('zstd')
          used = positionOf(input)
          filled = positionOf(output)
          if (filled === 0) continue
          chunk.set(new Uint8Array(zstd.memory.buffer, target, filled))
          yield chunk.subarray(0, filled)
        }
      } finally {
        zstd.free(source)
      }
    },
    close() {
      zstd.ZSTD_freeDCtx(context)
      zstd.free(input)
    },
  }
}

const outOfMemory = () => unsupported('zstd', 'more memory than there is', 'zstd -dc')
