// Loaded before the program (`node --import`): its clock stands as many milliseconds ahead as a variable says, or as a file says at
// that moment. Timers are not touched: they follow another clock, which nobody can set.
import { readFileSync } from 'node:fs'

const file = process.env.TEST_CLOCK_FILE
const ahead = () => Number(file === undefined ? process.env.TEST_CLOCK_AHEAD_MS : readFileSync(file, 'utf8'))
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead())
    else super(...given)
  }

  static now() {
    return RealDate.now() + ahead()
  }
}
