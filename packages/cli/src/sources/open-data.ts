import type { Compression } from './compression.js'
import { type Encoding, inspect, needsMore, refusal } from './contents.js'
import { type Input, openInput } from './input.js'

/** The text of a file, a pipe or a terminal, unpacked and in UTF-8. */
export interface Data {
  /** How it is packed; undefined when it is not. */
  readonly compression: Compression | undefined
  /** Bytes on disk, packed; undefined where nobody knows. */
  readonly size: number | undefined
  /** The descriptor, where the text can be read in place: a regular file, neither packed nor UTF-16. */
  readonly file: number | undefined
  /** How many of the bytes on disk have been used: for progress. */
  taken(): number
  /** Reads as much as is there and has room; 0 at the end. A plain file answers at once, with a number. */
  read(into: Uint8Array): number | Promise<number>
  /** A read that still waits then answers 0. */
  close(): void | Promise<void>
}

/** Enough to tell what data is. What is read ahead has to be copied once. */
const HEAD = 4096

/**
 * Opens what can be read as text, by its path or its descriptor: plain, gzip, zstd, bzip2 or xz, told by its first bytes, as
 * UTF-8 or UTF-16. What cannot be is a `Failure` of kind `Data` with what to do, here or from `read`; it does not name the
 * file.
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
    if (contents.is === 'compressed') return await openPacked(input, read, contents.compression, path)
    if (contents.encoding) return await openEncoded(input, read, contents.encoding)
    return { compression: undefined, size, file, taken, read, close: input.close }
  } catch (error) {
    input.close()
    throw error
  }
}

/** The first bytes: as many as it takes to tell what they are. */
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

/** Gives the head once more, and then what follows it. */
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

async function openPacked(
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
