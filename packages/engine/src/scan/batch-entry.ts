import type { Entry } from '../match/detection.js'

const NO_BYTES = new Uint8Array(0)

/**
 * An entry whose text is decoded on first use: most detections of a noisy log are only counted. After decoding it releases
 * the bytes that it shares with other entries.
 */
export class BatchEntry implements Entry {
  readonly timestamp: bigint
  readonly line: number
  private bytes: Uint8Array
  private start: number
  private end: number
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

  /** The length of the text in bytes. */
  get size(): number {
    return this.end - this.start
  }

  /** Copies the text to other bytes, and releases those that it shares with other entries. */
  moveTo(bytes: Uint8Array, at: number): void {
    if (this.decoded !== undefined) return
    const { size } = this
    bytes.set(this.bytes.subarray(this.start, this.end), at)
    this.bytes = bytes
    this.start = at
    this.end = at + size
  }
}

/** Created on first use: a run that finds nothing starts faster without it. */
let decoder: TextDecoder | undefined

/** Decodes the bytes from `start` to `end`. Invalid UTF-8 becomes replacement characters. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  // A byte order mark inside the data is part of the text.
  decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })
  return decoder.decode(bytes.subarray(start, end))
}
