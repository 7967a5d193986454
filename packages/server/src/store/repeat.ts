import { databaseAway, isWorthRepeating } from './query-failure.js'

/** Each repetition means that somebody else got ahead, so a handful is enough for any number of competitors seen in practice. */
const ATTEMPTS = 5

/** Does work again, as a whole, as long as it fails for being in the way of other work. */
export async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isWorthRepeating(error)) throw error
      if (attempt === ATTEMPTS) throw databaseAway((error as Error).message)
    }
  }
}
