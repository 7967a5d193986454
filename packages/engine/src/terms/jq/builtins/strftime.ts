/** Year, month from 0, day, hours, minutes, seconds, weekday from Sunday, day of the year from 0. */
export type BrokenDownTime = readonly [number, number, number, number, number, number, number, number]

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const pad = (value: number, width: number, fill = '0'): string => String(Math.trunc(value)).padStart(width, fill)
const name = (names: readonly string[], at: number): string => names[at] ?? '?'
const twelve = (hours: number): number => hours % 12 || 12

type Writer = (time: BrokenDownTime) => string

/** What each letter after `%` writes, in the C locale. */
const WRITERS: Readonly<Record<string, Writer>> = {
  a: (t) => name(WEEKDAYS, t[6]).slice(0, 3),
  A: (t) => name(WEEKDAYS, t[6]),
  b: (t) => name(MONTHS, t[1]).slice(0, 3),
  B: (t) => name(MONTHS, t[1]),
  c: (t) => formatTime(t, '%a %b %e %H:%M:%S %Y'),
  C: (t) => pad(Math.floor(t[0] / 100), 2),
  d: (t) => pad(t[2], 2),
  D: (t) => formatTime(t, '%m/%d/%y'),
  e: (t) => pad(t[2], 2, ' '),
  F: (t) => formatTime(t, '%Y-%m-%d'),
  g: (t) => pad(isoWeek(t).year % 100, 2),
  G: (t) => String(isoWeek(t).year),
  h: (t) => formatTime(t, '%b'),
  H: (t) => pad(t[3], 2),
  I: (t) => pad(twelve(t[3]), 2),
  j: (t) => pad(t[7] + 1, 3),
  k: (t) => pad(t[3], 2, ' '),
  l: (t) => pad(twelve(t[3]), 2, ' '),
  m: (t) => pad(t[1] + 1, 2),
  M: (t) => pad(t[4], 2),
  n: () => '\n',
  p: (t) => (t[3] < 12 ? 'AM' : 'PM'),
  P: (t) => (t[3] < 12 ? 'am' : 'pm'),
  r: (t) => formatTime(t, '%I:%M:%S %p'),
  R: (t) => formatTime(t, '%H:%M'),
  s: (t) => String(Math.floor(Date.UTC(t[0], t[1], t[2], t[3], t[4], t[5]) / 1000)),
  S: (t) => pad(t[5], 2),
  t: () => '\t',
  T: (t) => formatTime(t, '%H:%M:%S'),
  u: (t) => String(t[6] || 7),
  U: (t) => pad(Math.floor((t[7] + 7 - t[6]) / 7), 2),
  V: (t) => pad(isoWeek(t).week, 2),
  w: (t) => String(t[6]),
  W: (t) => pad(Math.floor((t[7] + 7 - ((t[6] + 6) % 7)) / 7), 2),
  x: (t) => formatTime(t, '%m/%d/%y'),
  X: (t) => formatTime(t, '%H:%M:%S'),
  y: (t) => pad(((t[0] % 100) + 100) % 100, 2),
  Y: (t) => String(t[0]),
  z: () => '+0000',
  Z: () => 'UTC',
  '%': () => '%',
}

/** Writes a time by a format of C's `strftime`; unknown letters stay as they are. */
export function formatTime(time: BrokenDownTime, format: string): string {
  return format.replace(/%([-_]?)([EO]?)([a-zA-Z%])/g, (all, flag: string, _: string, letter: string) => {
    const text = WRITERS[letter]?.(time)
    if (text === undefined) return all
    if (flag === '-') return text.replace(/^[0 ]+(?=.)/, '')
    return flag === '_' ? text.replace(/^0+(?=.)/, (zeros) => ' '.repeat(zeros.length)) : text
  })
}

/** The week that a day belongs to where weeks start on Monday and belong to the year of their Thursday. */
function isoWeek(time: BrokenDownTime): { year: number; week: number } {
  const [year, , , , , , weekday, day] = time
  const thursday = day - ((weekday + 6) % 7) + 3
  if (thursday < 0) return { year: year - 1, week: Math.floor((thursday + daysIn(year - 1)) / 7) + 1 }
  if (thursday >= daysIn(year)) return { year: year + 1, week: 1 }
  return { year, week: Math.floor(thursday / 7) + 1 }
}

function daysIn(year: number): number {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 366 : 365
}
