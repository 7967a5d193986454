import type { KernelMemory } from '../kernel/memory.js'
import { messagesOf } from './messages.js'

/** Bytes that the filter may read on either side of a text. */
const MARGIN = 64

const encoder = new TextEncoder()

/** Messages that are written to kernel memory to be searched, because their bytes are not in the texts of their entries. */
export class DerivedMessages {
  count = 0
  /** Addresses of two arrays of u32: where each message starts and ends. */
  starts = 0
  ends = 0
  readonly #memory: KernelMemory
  readonly #entries: number[] = []
  readonly #messages: string[] = []
  #room = 0
  #slots = 0
  #base = 0

  constructor(memory: KernelMemory) {
    this.#memory = memory
  }

  clear(): void {
    this.count = 0
    this.#entries.length = 0
    this.#messages.length = 0
  }

  /** Adds the messages inside the text of an entry. Entries are added in their order. */
  add(entry: number, text: string): void {
    for (const message of messagesOf(text)) {
      if (text.includes(message)) continue
      this.#entries.push(entry)
      this.#messages.push(message)
    }
  }

  /** Writes the messages to kernel memory, one after the other. The memory may grow. */
  store(): void {
    const messages = this.#messages
    // A UTF-16 unit has at most three bytes in UTF-8.
    this.#reserve(
      messages.reduce((sum, message) => sum + 3 * message.length, 0),
      messages.length,
    )
    const { u8, u32 } = this.#memory
    let at = this.#base
    messages.forEach((message, index) => {
      u32[(this.starts >>> 2) + index] = at
      at += encoder.encodeInto(message, u8.subarray(at)).written
      u32[(this.ends >>> 2) + index] = at
    })
    this.count = messages.length
  }

  /** The number of messages that were added. */
  get size(): number {
    return this.#messages.length
  }

  #reserve(bytes: number, slots: number): void {
    if (bytes > this.#room) {
      this.#room = Math.max(bytes, 2 * this.#room)
      this.#base = this.#memory.allocate(this.#room + 2 * MARGIN) + MARGIN
    }
    if (slots > this.#slots) {
      this.#slots = Math.max(slots, 2 * this.#slots)
      this.starts = this.#memory.allocate(8 * this.#slots)
      this.ends = this.starts + 4 * this.#slots
    }
  }

  /** The entry of a message. */
  entry(index: number): number {
    return this.#entries[index]!
  }

  start(index: number): number {
    return this.#memory.u32[(this.starts >>> 2) + index]!
  }

  end(index: number): number {
    return this.#memory.u32[(this.ends >>> 2) + index]!
  }
}
