import { quote } from '@omen/engine/messages'

const MILLISECOND = 1_000_000n
const DAY = 86_400_000_000_000n

/** Units that durations in Go do not have. A day always has 24 hours. */
const LONG_UNITS = { w: 7n * DAY, d: DAY } as const

/** Words for units, which may end in s, and what they are in a duration. */
const WORDS: Readonly<Record<string, string>> = {
  sec: 's',
  second: 's',
  min: 'm',
  minute: 'm',
  hr: 'h',
  hour: 'h',
  day: 'd',
  week: 'w',
}

/** The largest duration in Go, about 292 years. */
const LONGEST = (1n << 63n) - 1n

/** A longer string is not a duration or time, and parsing it would be slow. */
const LONGEST_TEXT = 64

const LONG_DURATION = /^(?:(\d+(?:\.\d+)?)w)?(?:(\d+(?:\.\d+)?)d)?(.*)$/s

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|[+-]\d\d:?\d\d))?)?$/i

/** A time of day, perhaps after the name of a day. */
const CLOCK = /^(?:(today|yesterday)(?: |$))?(?:(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?$/i

/** Seconds since 1970, or thousandths, millionths or billionths of them. */
const EPOCH = /^@?(\d{9,19})(?:\.(\d{1,9}))?$/

const FORMS =
  '10m, 1h30m, 2d, "2 hours ago", 03:00, now, today, yesterday, 2026-03-01, "2026-03-01 12:00" or 2026-03-01T12:00:00Z'

/** Which end of a time range the limit is: if a local time occurs twice, the wider range is used. */
export type LimitEnd = 'since' | 'until'

/**
 * Parses a value of `--since` or `--until` and returns nanoseconds since 1970. The value is a duration before now, a time of day,
 * the name of a day, a time, or seconds since 1970. Times without a zone are local, a date is its midnight, and a time of day is
 * the last one that is not in the future. Throws an Error whose message lists the accepted forms.
 *
 * @example
 * await readTimeLimit('1h30m', 'since', new Date()) // 90 minutes ago
 * await readTimeLimit('2026-03-01', 'until', new Date()) // midnight at the start of March 1
 */
export async function readTimeLimit(text: string, end: LimitEnd, now: Date): Promise<bigint> {
  if (text.length > LONGEST_TEXT) throw notATime(text)
  const time = TIME.exec(text)
  if (time) return readTime(time, text, end)
  const clock = CLOCK.exec(text)
  if (clock && text !== '') return readClock(clock, text, end, now)
  const epoch = EPOCH.exec(text)
  if (epoch) return readEpoch(epoch[1]!, epoch[2] ?? '')
  const present = BigInt(now.getTime()) * MILLISECOND
  return text.toLowerCase() === 'now' ? present : present - (await readDuration(text))
}

async function readDuration(text: string): Promise<bigint> {
  // journalctl accepts -1h for an hour ago, so a leading minus is ignored.
  const duration = withoutWords(text).replace(/^-/, '')
  if (/^0*[1-9]\d{0,5}$/.test(duration)) {
    throw new Error(`${quote(text)} has no unit: write ${duration}s, ${duration}m, ${duration}h or ${duration}d`)
  }
  const [, weeks, days, rest = ''] = LONG_DURATION.exec(duration)!
  const isLong = weeks !== undefined || days !== undefined
  const long = inUnit(weeks, LONG_UNITS.w) + inUnit(days, LONG_UNITS.d)
  if (/^[+-]/.test(rest) || (rest === '' && !isLong)) throw notATime(text)
  // Only scans parse durations, and a scan loads the engine anyway.
  const { parseDuration } = await import('@omen/engine')
  try {
    const total = long + parseDuration(rest === '' ? '0' : rest)
    if (total <= LONGEST) return total
  } catch {
    // The engine's message mentions neither days nor dates, so the one below is used.
  }
  throw notATime(text)
}

/** Writes `2 hours and 30 minutes ago` as `2h30m`. */
function withoutWords(text: string): string {
  return text
    .replace(/ ago$/i, '')
    .replace(/^an? (?=[a-z])/i, '1 ')
    .replace(
      /(\d) ?([a-zµμ]+)(?:(?:,| and|, and)? (?=\d)|(?![a-zµμ]))/gi,
      (_, digit, name) => `${digit}${unitOf(name)}`,
    )
}

function unitOf(name: string): string {
  const word = name.toLowerCase().replace(/s$/, '')
  return Object.hasOwn(WORDS, word) ? WORDS[word]! : name
}

function inUnit(amount: string | undefined, unit: bigint): bigint {
  const [whole = '0', fraction = ''] = (amount ?? '0').split('.')
  return (BigInt(whole + fraction) * unit) / 10n ** BigInt(fraction.length)
}

/** The unit of an epoch by the number of its digits, as in logs. */
function readEpoch(digits: string, fraction: string): bigint {
  const places = digits.length <= 11 ? 0 : digits.length <= 14 ? 3 : digits.length <= 17 ? 6 : 9
  return BigInt((digits + fraction).padEnd(digits.length + 9 - places, '0').slice(0, digits.length + 9 - places))
}

type Fields = readonly [year: number, month: number, day: number, hour: number, minute: number, second: number]

function readTime(match: RegExpExecArray, text: string, end: LimitEnd): bigint {
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0)) as [...Fields]
  const fields: Fields = [year, month - 1, day, hour, minute, second]
  const zone = match[8]
  if (!isCalendarTime(fields)) throw noSuchTime(text)
  const fraction = BigInt((match[7] ?? '').padEnd(9, '0'))
  return fraction + (zone === undefined ? localTime(fields, end) : asUtc(fields) - offsetOf(zone, text))
}

/** A time of day without a day is the last one that is not in the future. */
function readClock(match: RegExpExecArray, text: string, end: LimitEnd, now: Date): bigint {
  const [hour, minute, second] = match.slice(2, 5).map((digits) => Number(digits ?? 0)) as [number, number, number]
  if (!isCalendarTime([2000, 0, 1, hour, minute, second])) throw noSuchTime(text)
  const fraction = BigInt((match[5] ?? '').padEnd(9, '0'))
  const day = match[1]?.toLowerCase()
  const on = (days: number) =>
    fraction + localTime([now.getFullYear(), now.getMonth(), now.getDate() + days, hour, minute, second], end)
  if (day !== undefined) return on(day === 'today' ? 0 : -1)
  const today = on(0)
  return today <= BigInt(now.getTime()) * MILLISECOND ? today : on(-1)
}

/** Whether the calendar has this date and time: not 30 February, not 25:00. */
function isCalendarTime(fields: Fields): boolean {
  const date = utcDate(fields)
  const read = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
  return [...read, ...clock].every((value, index) => value === fields[index])
}

/** Unlike `Date.UTC`, this does not read the years 0 to 99 as 1900 to 1999. */
function utcDate([year, month, day, ...clock]: Fields): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  date.setUTCHours(...clock)
  return date
}

function asUtc(fields: Fields): bigint {
  return BigInt(utcDate(fields).getTime()) * MILLISECOND
}

function offsetOf(zone: string, text: string): bigint {
  if (/^z$/i.test(zone)) return 0n
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 23 || minutes > 59) throw new Error(`${quote(text)}: no such UTC offset: ${zone}`)
  return BigInt((zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)) * 60_000n * MILLISECOND
}

/**
 * When clocks go back, an hour occurs twice: JavaScript returns the first occurrence, which is right for the start of a range;
 * for its end, the second is computed. A time that is skipped when clocks go forward is read as if they had not changed.
 */
function localTime([year, month, day, ...clock]: Fields, end: LimitEnd): bigint {
  const date = new Date(2000, 0, 1, 12)
  date.setFullYear(year, month, day)
  date.setHours(...clock)
  const first = date.getTime()
  if (end === 'since') return BigInt(first) * MILLISECOND
  // No zone sets its clocks back by more than a day, and changes of offset are months apart.
  const later = new Date(first + 86_400_000).getTimezoneOffset() - date.getTimezoneOffset()
  const second = new Date(first + later * 60_000)
  const isSameClock = later > 0 && second.getTimezoneOffset() - date.getTimezoneOffset() === later
  return BigInt(isSameClock ? second.getTime() : first) * MILLISECOND
}

function noSuchTime(text: string): Error {
  return new Error(`${quote(text)}: no such date or time of day`)
}

function notATime(text: string): Error {
  return new Error(`${quote(text)} is not a time: write ${FORMS}`)
}
