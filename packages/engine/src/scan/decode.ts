// A byte order mark inside the data is text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of bytes from `start` to `end`. What is not UTF-8 becomes replacement characters. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end))
}
