import { Failure } from '../failure.js'

/**
 * The body of an answer in whole. One that is longer than `longest` bytes rejects with a `Failure` that names what was asked for.
 *
 * @example
 * JSON.parse((await readAll(answer.body, 'omen.example.com', 64 * 1024)).toString())
 */
export async function readAll(body: AsyncIterable<Uint8Array>, name: string, longest: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > longest) throw new Failure('Network', `${name}: the answer is longer than any should be`)
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}
