import type { Queries } from './database.js'
import { QueryFailure } from './query-failure.js'

/** Questions in one query at most: beyond this a query costs as much as several. */
const MOST = 100

/** Turns of the event loop without another question after which all have come that come together. */
const QUIET = 2

/** Turns that a question waits for others at most. */
const PATIENCE = 8

interface Question<Key, Answer> {
  readonly key: Key
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Answers questions in their order. */
export type AnswerAll<Key, Answer> = (queries: Queries, keys: readonly Key[]) => Promise<readonly Answer[]>

/**
 * Makes one query of the questions that come together: of all requests that arrived before two turns of the event loop brought no
 * more of them. Under load the way to the database and back costs more than finding a row, and is then shared; a request alone waits
 * for two turns in which nothing happens. Each question is still asked after its request came, so what was committed before is seen.
 *
 * @example
 * const findAll = gather((queries, ids) => namesOf(queries, ids))
 * await Promise.all([findAll(database, 1), findAll(database, 2)]) // one query
 */
export function gather<Key, Answer>(
  answerAll: AnswerAll<Key, Answer>,
): (queries: Queries, key: Key) => Promise<Answer> {
  const waiting = new WeakMap<Queries, Question<Key, Answer>[]>()

  const begin = (queries: Queries, first: Question<Key, Answer>) => {
    const questions = [first]
    waiting.set(queries, questions)
    onceComplete(questions, () => {
      if (waiting.get(queries) === questions) waiting.delete(queries)
      ask(answerAll, queries, questions)
    })
  }
  return (queries, key) =>
    new Promise((resolve, reject) => {
      const question = { key, resolve, reject }
      const together = waiting.get(queries)
      if (together !== undefined && together.length < MOST) together.push(question)
      else begin(queries, question)
    })
}

/** Goes on when no more questions come. Immediates run after everything that the network had ready. */
function onceComplete(questions: readonly unknown[], goOn: () => void): void {
  let known = 0
  let quiet = 0
  let turns = 0
  const look = () => {
    quiet = questions.length === known ? quiet + 1 : 0
    known = questions.length
    turns++
    if (quiet === QUIET || turns === PATIENCE || known >= MOST) goOn()
    else setImmediate(look)
  }
  setImmediate(look)
}

async function ask<Key, Answer>(
  answerAll: AnswerAll<Key, Answer>,
  queries: Queries,
  questions: readonly Question<Key, Answer>[],
): Promise<void> {
  try {
    const answers = await answerAll(
      queries,
      questions.map(({ key }) => key),
    )
    for (const [index, { resolve }] of questions.entries()) resolve(answers[index]!)
  } catch (error) {
    // A question that the database refuses must not spoil those that happened to come with it.
    if (error instanceof QueryFailure && questions.length > 1) {
      for (const question of questions) ask(answerAll, queries, [question])
    } else for (const { reject } of questions) reject(error)
  }
}

/** A row that says which question it answers, counted from 1. */
export type Placed = { readonly place: number }

/** Puts rows in the order of the questions; undefined where none was found. */
export function inPlace<R extends Placed, Answer>(
  rows: readonly R[],
  count: number,
  read: (row: R) => Answer,
): readonly (Answer | undefined)[] {
  const answers = new Array<Answer | undefined>(count).fill(undefined)
  for (const row of rows) answers[row.place - 1] = read(row)
  return answers
}
