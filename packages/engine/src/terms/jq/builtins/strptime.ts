import { type BrokenDownTime, MONTHS, WEEKDAYS } from './strftime.js'

/** What has been read so far. */
interface Reading {
  readonly text: string
  at: number
  year: number
  month: number
  day: number
  hours: number
  minutes: number
  seconds: number
  afternoon: boolean | undefined
  dayOfYear: number | undefined
  epoch: number | undefined
}

type Reader = (reading: Reading) => boolean

/** Reads up to `width` digits of a number within bounds. */
function number(width: number, low: number, high: number, set: (reading: Reading, value: number) => void): Reader {
  const pattern = new RegExp(`[ \\t\\n]*([0-9]{1,${width}})`, 'y')
  return (reading) => {
    pattern.lastIndex = reading.at
    const match = pattern.exec(reading.text)
    const value = Number(match?.[1])
    if (match === null || value < low || value > high) return false
    reading.at = pattern.lastIndex
    set(reading, value)
    return true
  }
}

/** Reads one of some names, in full or its first three letters, in any case. */
function oneOf(names: readonly string[], set: (reading: Reading, at: number) => void): Reader {
  return (reading) => {
    const rest = reading.text.slice(reading.at).toLowerCase()
    for (const [i, name] of names.entries()) {
      const lower = name.toLowerCase()
      const found = rest.startsWith(lower) ? lower.length : rest.startsWith(lower.slice(0, 3)) ? 3 : 0
      if (found === 0) continue
      reading.at += found
      set(reading, i)
      return true
    }
    return false
  }
}

function pattern(source: string): Reader {
  const sticky = new RegExp(source, 'y')
  return (reading) => {
    sticky.lastIndex = reading.at
    if (!sticky.test(reading.text)) return false
    reading.at = sticky.lastIndex
    return true
  }
}

const weekday = oneOf(WEEKDAYS, () => {})
const month = oneOf(MONTHS, (r, at) => {
  r.month = at
})
const day = number(2, 1, 31, (r, value) => {
  r.day = value
})
const hours = number(2, 0, 23, (r, value) => {
  r.hours = value
})
const within =
  (format: string): Reader =>
  (reading) =>
    readAll(reading, format)

/** What each letter after `%` reads. */
const READERS: Readonly<Record<string, Reader>> = {
  a: weekday,
  A: weekday,
  b: month,
  B: month,
  h: month,
  c: within('%a %b %e %H:%M:%S %Y'),
  d: day,
  e: day,
  D: within('%m/%d/%y'),
  F: within('%Y-%m-%d'),
  H: hours,
  k: hours,
  I: number(2, 1, 12, (r, value) => {
    r.hours = value
  }),
  l: number(2, 1, 12, (r, value) => {
    r.hours = value
  }),
  j: number(3, 1, 366, (r, value) => {
    r.dayOfYear = value - 1
  }),
  m: number(2, 1, 12, (r, value) => {
    r.month = value - 1
  }),
  M: number(2, 0, 59, (r, value) => {
    r.minutes = value
  }),
  n: pattern('\\s*'),
  t: pattern('\\s*'),
  p: oneOf(['am', 'pm'], (r, at) => {
    r.afternoon = at === 1
  }),
  r: within('%I:%M:%S %p'),
  R: within('%H:%M'),
  s: number(18, 0, Number.MAX_SAFE_INTEGER, (r, value) => {
    r.epoch = value
  }),
  S: number(2, 0, 60, (r, value) => {
    r.seconds = value
  }),
  T: within('%H:%M:%S'),
  u: number(1, 1, 7, () => {}),
  U: number(2, 0, 53, () => {}),
  w: number(1, 0, 6, () => {}),
  W: number(2, 0, 53, () => {}),
  x: within('%m/%d/%y'),
  X: within('%H:%M:%S'),
  y: number(2, 0, 99, (r, value) => {
    r.year = value < 69 ? 2000 + value : 1900 + value
  }),
  Y: number(4, 0, 9999, (r, value) => {
    r.year = value
  }),
  // The zone is read but, as in jq, not applied.
  z: pattern('[ \\t]*(?:Z|[-+][0-9]{2}(?::?[0-9]{2})?)'),
  Z: pattern('[A-Za-z]*'),
  '%': pattern('%'),
}

/** Reads a time by a format of C's `strptime`, `undefined` when the whole text does not fit. */
export function parseTime(text: string, format: string): BrokenDownTime | undefined {
  const reading: Reading = {
    text,
    at: 0,
    year: 1970,
    month: 0,
    day: 1,
    hours: 0,
    minutes: 0,
    seconds: 0,
    afternoon: undefined,
    dayOfYear: undefined,
    epoch: undefined,
  }
  return readAll(reading, format) && reading.at === text.length ? finish(reading) : undefined
}

function readAll(reading: Reading, format: string): boolean {
  for (let i = 0; i < format.length; i++) {
    const c = format[i]!
    if (/\s/.test(c)) {
      READERS.n!(reading)
    } else if (c !== '%') {
      if (reading.text[reading.at] !== c) return false
      reading.at++
    } else {
      i += /[EO]/.test(format[i + 1] ?? '') ? 2 : 1
      if (READERS[format[i] ?? '']?.(reading) !== true) return false
    }
  }
  return true
}

function finish(reading: Reading): BrokenDownTime {
  const { afternoon, dayOfYear, epoch } = reading
  const hour = afternoon === undefined ? reading.hours : (reading.hours % 12) + (afternoon ? 12 : 0)
  const date = new Date(0)
  if (epoch !== undefined) {
    date.setTime(Math.min(epoch * 1000, 8.64e15))
  } else {
    const [m, d] = dayOfYear === undefined ? [reading.month, reading.day] : [0, dayOfYear + 1]
    date.setUTCFullYear(reading.year, m, d)
    date.setUTCHours(hour, reading.minutes, reading.seconds)
  }
  const start = new Date(0)
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1)
  start.setUTCHours(0, 0, 0)
  const days = Math.floor((date.getTime() - start.getTime()) / 86_400_000)
  return [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCDay(),
    days,
  ]
}
