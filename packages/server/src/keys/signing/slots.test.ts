import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AskersSlots, askersSlots, helpSigning, newSlotMemory } from './slots.js'

/** Stands for a signature: 64 bytes that no other text has. */
const signatureOf = (text: string | Buffer) => createHash('sha512').update(text).digest()
const expected = (text: string) => signatureOf(text).toString('base64url')

/** Both sides in one thread: the helper does what there is to do, and gives up waiting at once. */
function bothSides() {
  const memory = newSlotMemory()
  const help = (sign: (text: Buffer) => Uint8Array = signatureOf) => helpSigning(memory, sign, 0)
  return { slots: askersSlots(memory), help }
}

const writeAll = (slots: AskersSlots, count: number) =>
  Array.from({ length: count }, (_, n) => slots.write(`text ${n}`)).filter((slot) => slot !== undefined)

test('the helper signs what was written, each text for itself', () => {
  const { slots, help } = bothSides()
  const texts = ['a', 'header.payload', 'x'.repeat(960)]
  const written = texts.map((text) => slots.write(text)!)
  slots.tell()
  expect(written.map((slot) => slots.take(slot))).toEqual([undefined, undefined, undefined])
  help()
  expect(written.map((slot) => slots.take(slot))).toEqual(texts.map(expected))
})

test('what nobody was told of is not signed', () => {
  const { slots, help } = bothSides()
  const slot = slots.write('a')!
  help()
  expect(slots.take(slot)).toBeUndefined()
  slots.tell()
  help()
  expect(slots.take(slot)).toBe(expected('a'))
})

test('a text is taken back as long as the helper has not begun with it', () => {
  const { slots, help } = bothSides()
  const [first = -1, second = -1] = ['a', 'b'].map((text) => slots.write(text)!)
  slots.tell()
  expect(slots.takeBack(second)).toBe(true)
  const signed: string[] = []
  help((text) => {
    signed.push(text.toString())
    expect(slots.takeBack(first)).toBe(false)
    expect(slots.take(first)).toBeUndefined()
    return signatureOf(text)
  })
  expect(signed).toEqual(['a'])
  expect(slots.takeBack(first)).toBe(false)
  expect(slots.take(first)).toBe(expected('a'))
})

describe('there is no room', () => {
  test('for a text that is too long', () => {
    expect(bothSides().slots.write('x'.repeat(961))).toBeUndefined()
  })

  test('while every slot is in use', () => {
    const { slots, help } = bothSides()
    const written = writeAll(slots, 100)
    expect(written).toHaveLength(64)
    slots.tell()
    help()
    expect(slots.take(written[0]!)).toBe(expected('text 0'))
    expect(slots.write('one more')).toBe(written[0])
    expect(slots.takeBack(written[0]!)).toBe(true)
  })

  test('in a slot whose signature is still to be taken', () => {
    const { slots, help } = bothSides()
    const [kept = -1, ...others] = writeAll(slots, 64)
    slots.tell()
    help()
    for (const slot of others) slots.take(slot)
    expect(slots.write('another text')).toBeUndefined()
    expect(slots.take(kept)).toBe(expected('text 0'))
    expect(slots.write('another text')).toBe(kept)
  })

  test('in a slot that was given up, until the helper is done with it', () => {
    const { slots, help } = bothSides()
    const [given = -1, ...others] = writeAll(slots, 64)
    for (const slot of others) slots.takeBack(slot)
    slots.tell()
    help((text) => {
      slots.giveUp(given)
      // The asker no longer waits for it, and goes once around.
      expect(slots.write('too early')).toBeUndefined()
      return signatureOf(text)
    })
    expect(slots.write('now')).toBe(given)
    slots.tell()
    help()
    expect(slots.take(given)).toBe(expected('now'))
  })
})

test('whatever the order of the steps, a signature is the one of its text, and no text is forgotten', () => {
  const step = fc.oneof(
    // Often enough that there is no slot left now and then.
    { weight: 3, arbitrary: fc.constant('write' as const) },
    fc.constant('tell' as const),
    fc.constant('help' as const),
    fc.constant('take' as const),
    fc.constant('take back' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), fc.array(step, { maxLength: 3 }), (steps, meanwhile) => {
      const { slots, help } = bothSides()
      let written = 0
      const waiting: { text: string; slot: number }[] = []
      const asker: Record<Exclude<(typeof steps)[number], 'help'>, () => void> = {
        write() {
          const text = `text ${written++}`
          const slot = slots.write(text)
          if (slot !== undefined) waiting.push({ text, slot })
        },
        tell: () => slots.tell(),
        take() {
          const [first] = waiting
          const signature = first && slots.take(first.slot)
          if (signature === undefined) return
          expect(signature).toBe(expected(waiting.shift()!.text))
        },
        'take back'() {
          const last = waiting.at(-1)
          if (last && slots.takeBack(last.slot)) waiting.pop()
        },
      }
      const take = (what: (typeof steps)[number]) => {
        if (what === 'help') help(helperStep)
        else asker[what]()
      }
      // While the helper is at work on a text, the asker goes on. Not for ever: what it writes keeps the helper at work.
      let interruptions = 20
      const helperStep = (text: Buffer) => {
        if (interruptions-- > 0) for (const what of meanwhile) if (what !== 'help') asker[what]()
        return signatureOf(text)
      }
      for (const what of steps) take(what)
      slots.tell()
      help()
      for (const { text, slot } of waiting) expect(slots.take(slot)).toBe(expected(text))
    }),
  )
})
