/**
 * Texts to be signed, in memory that two threads share. Messages between threads cost as much as the signature itself; here a
 * text is written down, and whichever thread comes to it first signs it.
 */

/** A power of two, so that a counter which wraps around still leads to the right slot. */
const SLOTS = 64
const SIGNATURE_BYTES = 64
/** A token of ours has about 330 characters before its signature. */
const LONGEST_TEXT = 960
const SLOT_BYTES = LONGEST_TEXT + SIGNATURE_BYTES

/** Of one slot, in this order. The helper takes the second step and the third, the asker all others. */
const FREE = 0
const WRITTEN = 1
const CLAIMED = 2
const SIGNED = 3

/** Numbers before the texts: how many were written since the beginning, whether the helper sleeps, states, lengths. */
const COUNT = 0
const ASLEEP = 1
const STATES = 2
const LENGTHS = STATES + SLOTS
const NUMBERS = LENGTHS + SLOTS

/** Memory for the slots, to be handed to the other thread. */
export const newSlotMemory = () => new SharedArrayBuffer(4 * NUMBERS + SLOTS * SLOT_BYTES)

const viewsOf = (memory: SharedArrayBuffer) => ({
  numbers: new Int32Array(memory, 0, NUMBERS),
  bytes: Buffer.from(memory, 4 * NUMBERS),
})

const slotOf = (count: number) => count & (SLOTS - 1)

/** What the thread that asks does with the slots. */
export interface AskersSlots {
  /** Writes a text of one-byte characters down. Gives its slot, or undefined where there is no room for it. */
  write(text: string): number | undefined
  /** Tells the helper that texts were written. */
  tell(): void
  /** The signature (base64url), where the helper is done with it. The slot is then free for another text. */
  take(slot: number): string | undefined
  /** Takes a text back that the helper has not begun with. */
  takeBack(slot: number): boolean
  /** Leaves a signature to nobody: the slot is free for another text once the helper is done with it. */
  giveUp(slot: number): void
}

/**
 * The slots as the thread sees them that asks.
 *
 * @example
 * const slots = askersSlots(memory)
 * const slot = slots.write('header.payload')
 * slots.tell()
 * slots.take(slot) ?? (slots.takeBack(slot) ? 'not begun' : 'at work')
 */
export function askersSlots(memory: SharedArrayBuffer): AskersSlots {
  const { numbers, bytes } = viewsOf(memory)
  const isHeld = new Array<boolean>(SLOTS).fill(false)
  let count = 0
  const isFree = (slot: number) => {
    if (isHeld[slot]) return false
    // One that was given up.
    Atomics.compareExchange(numbers, STATES + slot, SIGNED, FREE)
    return Atomics.load(numbers, STATES + slot) === FREE
  }
  return {
    write(text) {
      const slot = slotOf(count)
      if (text.length > LONGEST_TEXT || !isFree(slot)) return undefined
      numbers[LENGTHS + slot] = bytes.write(text, slot * SLOT_BYTES, 'latin1')
      Atomics.store(numbers, STATES + slot, WRITTEN)
      isHeld[slot] = true
      count = (count + 1) | 0
      return slot
    },
    tell() {
      Atomics.store(numbers, COUNT, count)
      if (Atomics.load(numbers, ASLEEP) === 1) Atomics.notify(numbers, COUNT)
    },
    take(slot) {
      if (Atomics.load(numbers, STATES + slot) !== SIGNED) return undefined
      const start = slot * SLOT_BYTES + LONGEST_TEXT
      const signature = bytes.toString('base64url', start, start + SIGNATURE_BYTES)
      Atomics.store(numbers, STATES + slot, FREE)
      isHeld[slot] = false
      return signature
    },
    takeBack(slot) {
      const isBack = Atomics.compareExchange(numbers, STATES + slot, WRITTEN, FREE) === WRITTEN
      if (isBack) isHeld[slot] = false
      return isBack
    },
    giveUp(slot) {
      isHeld[slot] = false
    },
  }
}

/**
 * What the helper does, until nothing was written for a time. Either it sees a new count before it falls asleep, or whoever wrote
 * it sees that it sleeps: no text is slept through.
 *
 * @example
 * helpSigning(memory, (text) => signatureOf(key, text), 10_000)
 */
export function helpSigning(memory: SharedArrayBuffer, sign: (text: Buffer) => Uint8Array, idleMs: number): void {
  const { numbers, bytes } = viewsOf(memory)
  let count = 0
  const sleep = () => {
    Atomics.store(numbers, ASLEEP, 1)
    const woken = Atomics.wait(numbers, COUNT, count, idleMs)
    Atomics.store(numbers, ASLEEP, 0)
    return woken
  }
  while (sleep() !== 'timed-out') {
    for (; count !== Atomics.load(numbers, COUNT); count = (count + 1) | 0) {
      const slot = slotOf(count)
      if (Atomics.compareExchange(numbers, STATES + slot, WRITTEN, CLAIMED) !== WRITTEN) continue
      const start = slot * SLOT_BYTES
      bytes.set(sign(bytes.subarray(start, start + numbers[LENGTHS + slot]!)), start + LONGEST_TEXT)
      Atomics.store(numbers, STATES + slot, SIGNED)
    }
  }
}
