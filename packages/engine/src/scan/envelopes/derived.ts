import type { EnvelopeFunctions } from '../kernel/kernel.js'
import type { KernelMemory } from '../kernel/memory.js'
import { DEEPEST, messagesOf } from './messages.js'

/** Bytes that the filter and the kernel may read on either side of a text. */
const MARGIN = 64

const encoder = new TextEncoder()

/** An entry whose text, or whose messages, are to be written. */
interface Source {
  readonly entry: number
  readonly start: number
  readonly end: number
  readonly messages: readonly string[]
}

/**
 * Texts that are written to kernel memory to be searched, because a message inside an entry has other bytes than its text.
 * Every such message is a part of one of them.
 */
export class DerivedTexts {
  count = 0
  /** Addresses of two arrays of u32: where each text starts and ends. */
  starts = 0
  ends = 0
  readonly #kernel: { readonly memory: KernelMemory; readonly envelopes: EnvelopeFunctions }
  readonly #sources: Source[] = []
  readonly #entries: number[] = []
  #room = 0
  #slots = 0
  #base = 0

  constructor(kernel: { readonly memory: KernelMemory; readonly envelopes: EnvelopeFunctions }) {
    this.#kernel = kernel
  }

  clear(): void {
    this.count = 0
    this.#sources.length = 0
    this.#entries.length = 0
  }

  /** Adds the text of an entry that has escapes: decoded once for each JSON string that may be around a message. */
  addDecoded(entry: number, start: number, end: number): void {
    this.#sources.push({ entry, start, end, messages: [] })
  }

  /** Adds the messages inside the text of an entry. */
  addMessages(entry: number, text: string): void {
    this.#sources.push({ entry, start: 0, end: 0, messages: messagesOf(text) })
  }

  get isEmpty(): boolean {
    return this.#sources.length === 0
  }

  /** Writes the texts to kernel memory, in the order of their entries, in which they were added. The memory may grow. */
  store(): void {
    this.#reserve()
    let at = this.#base
    for (const { entry, start, end, messages } of this.#sources) {
      const slot = 4 * this.count
      if (end > start) {
        const { decodeStrings } = this.#kernel.envelopes
        this.#add(entry, decodeStrings(start, end, DEEPEST, at, this.starts + slot, this.ends + slot))
      } else {
        let next = at
        const { u8, u32 } = this.#kernel.memory
        messages.forEach((message, index) => {
          u32[((this.starts + slot) >>> 2) + index] = next
          next += encoder.encodeInto(message, u8.subarray(next)).written
          u32[((this.ends + slot) >>> 2) + index] = next
        })
        this.#add(entry, messages.length)
      }
      if (this.count > 0) at = this.end(this.count - 1)
    }
  }

  #add(entry: number, texts: number): void {
    for (let i = 0; i < texts; i++) this.#entries.push(entry)
    this.count += texts
  }

  #reserve(): void {
    let bytes = 0
    for (const { start, end, messages } of this.#sources) {
      bytes += DEEPEST * (end - start)
      // A UTF-16 unit has at most three bytes in UTF-8.
      for (const message of messages) bytes += 3 * message.length
    }
    if (bytes > this.#room) {
      this.#room = Math.max(bytes, 2 * this.#room)
      this.#base = this.#kernel.memory.allocate(this.#room + 2 * MARGIN) + MARGIN
    }
    const slots = DEEPEST * this.#sources.length
    if (slots > this.#slots) {
      this.#slots = Math.max(slots, 2 * this.#slots)
      this.starts = this.#kernel.memory.allocate(8 * this.#slots)
      this.ends = this.starts + 4 * this.#slots
    }
  }

  /** The entry of a text. */
  entry(index: number): number {
    return this.#entries[index]!
  }

  start(index: number): number {
    return this.#kernel.memory.u32[(this.starts >>> 2) + index]!
  }

  end(index: number): number {
    return this.#kernel.memory.u32[(this.ends >>> 2) + index]!
  }
}
