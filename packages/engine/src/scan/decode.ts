/** Made when there is something to decode: a run that finds nothing starts without it. */
let decoder: TextDecoder | undefined

/** The text of bytes from `start` to `end`. What is not UTF-8 becomes replacement characters. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  // A byte order mark inside the data is text like any other.
  decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })
  return decoder.decode(bytes.subarray(start, end))
}
