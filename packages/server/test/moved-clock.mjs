// Loaded before the program (`node --import`): its clock stands as many milliseconds ahead as the variable says. Timers are not
// touched.
const ahead = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead)
    else super(...given)
  }

  static now() {
    return RealDate.now() + ahead
  }
}
