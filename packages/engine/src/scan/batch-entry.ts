import type { Entry } from '../match/detection.js'

const NO_BYTES = new Uint8Array(0)

/**
 * An entry whose text is decoded when it is first asked for: most detections of a noisy log are only counted. Once
 * decoded, it lets go of the bytes that it shares with its neighbours.
 */
export class BatchEntry implements Entry {
  readonly timestamp: bigint
  readonly line: number
  private bytes: Uint8Array
  private readonly start: number
  private readonly end: number
  private decoded: string | undefined

  constructor(timestamp: bigint, line: number, bytes: Uint8Array, start: number, end: number) {
    this.timestamp = timestamp
    this.line = line
    this.bytes = bytes
    this.start = start
    this.end = end
    this.decoded = undefined
  }

  get text(): string {
    if (this.decoded === undefined) {
      this.decoded = decodeText(this.bytes, this.start, this.end)
      this.bytes = NO_BYTES
    }
    return this.decoded
  }
}

/** Made when there is something to decode: a run that finds nothing starts without it. */
let decoder: TextDecoder | undefined

/** The text of bytes from `start` to `end`. What is not UTF-8 becomes replacement characters. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  // A byte order mark inside the data is text like any other.
  decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })
  return decoder.decode(bytes.subarray(start, end))
}
