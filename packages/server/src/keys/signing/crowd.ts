import type { AskersSlots } from './slots.js'

/** A text, and who waits for its signature. */
export interface Question {
  readonly text: string
  resolve(signature: string): void
  reject(error: unknown): void
}

/** Questions that come together. */
export interface Crowd {
  add(question: Question): void
  /** Answers all, once no more come. */
  answer(): void
}

/** Fewer are signed before a helper is awake. */
const SMALLEST = 4

/**
 * Signatures that are handed out at once, at least. While this thread does what follows for one group, the helper signs the next;
 * with fewer in a group, this thread does everything in turns, which is slower.
 */
const GROUP = 6

/**
 * Makes a crowd. A helper signs from the front, as soon as there are enough of them, and this thread hands out what it has signed,
 * group by group. As long as a group is not complete, this thread signs from the back.
 *
 * @example
 * const crowd = createCrowd((text) => textSignatureOf(key, text), findHelper)
 * crowd.add({ text: 'header.payload', resolve, reject })
 * crowd.answer()
 */
export function createCrowd(signHere: (text: string) => string, findHelper: () => AskersSlots | undefined): Crowd {
  const questions: Question[] = []
  const slots: (number | undefined)[] = []
  let helper: AskersSlots | undefined
  let first = 0
  let end = 0

  const takeFirst = (): Outcome | undefined => {
    const slot = slots[first]
    const signature = slot === undefined ? undefined : helper?.take(slot)
    return signature === undefined ? undefined : { question: questions[first++]!, signature }
  }
  const signLast = (): Outcome => {
    const slot = slots[--end]
    // What the helper is at is signed twice: a helper without a processor would be waited for.
    if (slot !== undefined && helper?.takeBack(slot) === false) helper.giveUp(slot)
    return outcomeOf(questions[end]!, signHere)
  }
  const answerGroup = () => {
    const outcomes: Outcome[] = []
    while (first < end) {
      const outcome = takeFirst() ?? (outcomes.length < GROUP ? signLast() : undefined)
      if (outcome === undefined) break
      outcomes.push(outcome)
    }
    for (const outcome of outcomes) handOut(outcome)
    if (first < end) afterWhatFollows(answerGroup)
  }
  return {
    add(question) {
      questions.push(question)
      if (questions.length < SMALLEST) return
      if (questions.length === SMALLEST) helper = findHelper()
      if (helper === undefined) return
      while (slots.length < questions.length) slots.push(helper.write(questions[slots.length]!.text))
      helper.tell()
    },
    answer() {
      end = questions.length
      answerGroup()
    },
  }
}

interface Outcome {
  readonly question: Question
  readonly signature?: string
  readonly error?: unknown
}

function outcomeOf(question: Question, signHere: (text: string) => string): Outcome {
  try {
    return { question, signature: signHere(question.text) }
  } catch (error) {
    return { question, error }
  }
}

function handOut({ question, signature, error }: Outcome): void {
  if (signature === undefined) question.reject(error)
  else question.resolve(signature)
}

/** Ticks come after all promises that are under way. */
function afterWhatFollows(goOn: () => void): void {
  queueMicrotask(() => process.nextTick(goOn))
}
