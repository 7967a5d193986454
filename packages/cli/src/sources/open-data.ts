import type { Compression } from './compression.js'
import { type Encoding, inspect, isBinary, needsMore, notText, refusal } from './contents.js'
import { type Input, openInput } from './input.js'

/** The text of a file, a pipe or a terminal, decompressed and in UTF-8. */
export interface Data {
  /** Undefined if it is not compressed. */
  readonly compression: Compression | undefined
  /** Bytes on disk; undefined for a pipe. */
  readonly size: number | undefined
  /** The descriptor, if the text can be read in place: a regular file, neither compressed nor UTF-16. */
  readonly file: number | undefined
  /** How many bytes were read from disk: for progress. */
  taken(): number
  /** Reads as many bytes as are available and fit; 0 at the end. A plain file returns a number, not a promise. */
  read(into: Uint8Array): number | Promise<number>
  /** A pending read then returns 0. */
  close(): void | Promise<void>
}

/** Enough to show what kind of data it is. What is read ahead is copied once more. */
const HEAD = 4096

/**
 * Opens a path or descriptor to be read as text: plain, gzip, zstd, bzip2 or xz, detected by its first bytes, in UTF-8 or
 * UTF-16. Other data is a `Failure` of kind `Data` that says what to do, from here or from `read`; it does not name the file.
 *
 * @example
 * const data = await openData('/var/log/app.log.gz')
 * for (let bytes = await data.read(space); bytes > 0; bytes = await data.read(space)) use(space.subarray(0, bytes))
 * await data.close()
 */
export async function openData(source: string | number): Promise<Data> {
  const path = typeof source === 'string' ? source : undefined
  const input = openInput(source)
  try {
    const head = await readHead(input)
    const contents = inspect(head)
    if (contents.is === 'refused') throw refusal(contents.kind, path)
    const { size, file, taken } = input
    const read = readAfter(head, input)
    if (contents.is === 'compressed') return await openCompressed(input, read, contents.compression, path)
    if (contents.encoding) return await openEncoded(input, read, contents.encoding)
    if (isBinary(head)) throw notText(path)
    return { compression: undefined, size, file, taken, read, close: input.close }
  } catch (error) {
    input.close()
    throw error
  }
}

/** Reads as many bytes as show what kind of data it is. */
async function readHead(input: Input): Promise<Uint8Array> {
  const head = new Uint8Array(HEAD)
  let length = 0
  do {
    const bytes = await input.read(head.subarray(length))
    if (bytes === 0) break
    length += bytes
  } while (length < HEAD && needsMore(head.subarray(0, length)))
  return head.subarray(0, length)
}

/** Reads the head again, and then what follows it. */
function readAfter(head: Uint8Array, input: Input): Input['read'] {
  let rest = head
  return (into) => {
    if (rest.length === 0 || input.isClosed()) return input.read(into)
    const piece = rest.subarray(0, into.length)
    into.set(piece)
    rest = rest.subarray(piece.length)
    return piece.length
  }
}

async function openCompressed(
  { size, taken, close }: Input,
  read: Input['read'],
  compression: Compression,
  path: string | undefined,
): Promise<Data> {
  const { unpack } = await import('./unpack.js')
  return { compression, size, file: undefined, taken, ...(await unpack(read, close, compression, path)) }
}

async function openEncoded({ size, taken, close }: Input, read: Input['read'], encoding: Encoding): Promise<Data> {
  const { decode } = await import('./unpack.js')
  return { compression: undefined, size, file: undefined, taken, ...decode(read, close, encoding) }
}

/** The most files that are open at the same time. */
const MAX_OPEN = 32

/**
 * Calls `work`, which opens a file, for every item, at most 32 at a time, and returns the results in the order of the items.
 *
 * @example
 * const heads = await inParallel(paths, readHead)
 */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  async function workOn(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index])
  }
  await Promise.all(Array.from({ length: Math.min(MAX_OPEN, items.length) }, workOn))
  return results
}
