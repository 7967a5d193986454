// Loaded before the program (`node --import`): moves its clock ahead by the milliseconds in a variable, or in a file that is read each
// time. Timers are not changed: they use the monotonic clock.
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
