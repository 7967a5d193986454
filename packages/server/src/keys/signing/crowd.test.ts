import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCrowd, type Question } from './crowd.js'
import type { AskersSlots } from './slots.js'

/** Stands for a signature: no other text has the same. */
const expected = (text: string) => createHash('sha512').update(text).digest('base64url')

const texts = (count: number, name = 'text') => Array.from({ length: count }, (_, n) => `${name} ${n}`)

/** A helper without a thread, which signs as many texts as it is told to, and is then at work on the next. It has room for 64. */
function slowHelper() {
  const kept: { text: string; state: 'written' | 'at work' | 'signed' | 'gone' }[] = []
  const finish = (slot: { state: string }) => {
    if (slot.state === 'at work') slot.state = 'signed'
  }
  const help = (count: number) => {
    for (const slot of kept) finish(slot)
    const next = kept.filter(({ state }) => state === 'written').slice(0, count + 1)
    for (const slot of next) slot.state = 'at work'
    for (const slot of next.slice(0, count)) finish(slot)
  }
  const slots: AskersSlots = {
    write(text) {
      const isFull = kept.filter(({ state }) => state !== 'gone').length >= 64
      return isFull ? undefined : kept.push({ text, state: 'written' }) - 1
    },
    tell: () => undefined,
    take(slot) {
      const { text, state } = kept[slot]!
      if (state !== 'signed') return undefined
      kept[slot]!.state = 'gone'
      return expected(text)
    },
    takeBack(slot) {
      if (kept[slot]!.state !== 'written') return false
      kept[slot]!.state = 'gone'
      return true
    },
    giveUp(slot) {
      kept[slot]!.state = 'gone'
    },
  }
  return { slots, help }
}

/** A crowd that comes and is answered. */
function answerAll(questions: readonly Question[], sign: (text: string) => string, helper?: AskersSlots) {
  const crowd = createCrowd(sign, () => helper)
  for (const question of questions) crowd.add(question)
  crowd.answer()
}

/** Asks for all, and says what was answered. */
function ask(all: readonly string[], sign: (text: string) => string, helper?: AskersSlots) {
  const answers = new Map<string, string | Error>()
  const answered = (text: string) => (answer: string | Error) => {
    expect(answers.has(text)).toBe(false)
    answers.set(text, answer)
  }
  answerAll(
    all.map((text) => ({ text, resolve: answered(text), reject: (error) => answered(text)(error as Error) })),
    sign,
    helper,
  )
  return answers
}

/** Everything that was begun with a promise or a tick is done after a turn of the event loop. */
const turn = () => new Promise(setImmediate)

test('without a helper, all is signed here', async () => {
  const answers = ask(texts(20), expected)
  await turn()
  expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(texts(20).map((text) => [text, expected(text)])))
})

test('what follows the first signatures is done before the last ones are made', async () => {
  const events: string[] = []
  const follow = async (text: string) => {
    for (let hop = 0; hop < 10; hop++) await undefined
    events.push(`followed ${text}`)
  }
  const sign = (text: string) => {
    events.push(`signed ${text}`)
    return expected(text)
  }
  answerAll(
    texts(8).map((text) => ({ text, resolve: () => void follow(text), reject: () => events.push('failed') })),
    sign,
  )
  await turn()
  const did = (what: string, numbers: readonly number[]) => numbers.map((n) => `${what} text ${n}`)
  const groups = [
    [7, 6, 5, 4, 3, 2],
    [1, 0],
  ]
  expect(events).toEqual(groups.flatMap((group) => [...did('signed', group), ...did('followed', group)]))
})

test('what the helper signs while others are answered is not signed here', async () => {
  const { slots, help } = slowHelper()
  const here: string[] = []
  const answers = new Map<string, string>()
  answerAll(
    texts(20).map((text) => ({
      text,
      resolve(signature) {
        answers.set(text, signature)
        help(2)
      },
      reject: (error) => expect.fail(String(error)),
    })),
    (text) => {
      here.push(text)
      return expected(text)
    },
    slots,
  )
  await turn()
  expect(here).toEqual(texts(20).slice(14).toReversed())
  for (const text of texts(20)) expect(answers.get(text)).toBe(expected(text))
})

test('nothing waits for a text that the helper does not get done', async () => {
  const { slots, help } = slowHelper()
  const answers = ask(
    texts(3),
    (text) => {
      help(0)
      return expected(text)
    },
    slots,
  )
  await turn()
  for (const text of texts(3)) expect(answers.get(text)).toBe(expected(text))
})

test('a text that cannot be signed spoils no other', async () => {
  const broken = new Error('broken')
  const answers = ask(texts(8), (text) => {
    if (text === 'text 3') throw broken
    return expected(text)
  })
  await turn()
  expect(answers.get('text 3')).toBe(broken)
  for (const text of texts(8)) if (text !== 'text 3') expect(answers.get(text)).toBe(expected(text))
})

test('whatever the helper gets to, every text has its own signature, also when two crowds are under way', async () => {
  const leaves = fc.array(fc.nat(4), { maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(
      leaves,
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
      async (given, crowds) => {
        const { slots, help } = slowHelper()
        const left = [...given]
        const sign = (text: string) => {
          help(left.pop() ?? 0)
          return expected(text)
        }
        const all = crowds.map((count, n) => {
          const own = texts(count, `crowd ${n}`)
          return { own, answers: ask(own, sign, slots) }
        })
        await turn()
        for (const { own, answers } of all) for (const text of own) expect(answers.get(text)).toBe(expected(text))
      },
    ),
  )
})
