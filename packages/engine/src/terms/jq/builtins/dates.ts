import { clock, spend } from '../evaluation.js'
import { isArray, JqError, toDouble, type Value } from '../values/value.js'
import type { FunctionTable } from './index.js'
import { type BrokenDownTime, formatTime } from './strftime.js'
import { parseTime } from './strptime.js'

const DAY = 86_400
// The years that `Date` supports; outside them, all fields of C's `struct tm` are zero, which is the year 1900.
const MAX_SECONDS = 8.64e12

/** Times are seconds since 1970, or `[year, month from 0, day, hours, minutes, seconds, weekday, day of the year]`. */
export const DATE_FUNCTIONS: FunctionTable = {
  'now/0': () => clock.seconds,
  'gmtime/0': (input) => breakDown(input, 'gmtime'),
  // The zone is always UTC: what a rule finds must not depend on the machine.
  'localtime/0': (input) => breakDown(input, 'localtime'),
  'mktime/0': makeTime,
  'strftime/1': (input, format) => writeTime(input, format!, 'strftime'),
  'strflocaltime/1': (input, format) => writeTime(input, format!, 'strflocaltime'),
  'strptime/1': (input, format) => {
    if (typeof input !== 'string' || typeof format !== 'string') {
      throw new JqError('strptime/1 requires string inputs and arguments')
    }
    spend((format.length >>> 4) + 1)
    const time = parseTime(input, format)
    if (time === undefined) throw new JqError(`date "${input}" does not match format "${format}"`)
    return [...time]
  },
}

function breakDown(input: Value, name: string): Value {
  const seconds = toDouble(input)
  if (seconds === undefined) throw new JqError(`${name}() requires numeric inputs`)
  return [...timeOf(seconds)]
}

function timeOf(seconds: number): BrokenDownTime {
  if (!(Math.abs(seconds) <= MAX_SECONDS)) return [1900, 0, 0, 0, 0, 0, 0, 0]
  const date = new Date(Math.trunc(seconds) * 1000)
  const year = date.getUTCFullYear()
  return [
    year,
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds() + (seconds - Math.floor(seconds)),
    date.getUTCDay(),
    dayOfYear(date),
  ]
}

function dayOfYear(date: Date): number {
  const start = new Date(0)
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1)
  return Math.floor((date.getTime() - start.getTime()) / (DAY * 1000))
}

function readTime(input: Value, name: string): BrokenDownTime {
  const numbers = isArray(input) ? input.map(toDouble) : []
  if (numbers.length < 8 || numbers.includes(undefined)) throw new JqError(`${name} requires parsed datetime inputs`)
  return numbers.slice(0, 8).map((number) => Math.trunc(number!)) as unknown as BrokenDownTime
}

function makeTime(input: Value): Value {
  if (!isArray(input)) throw new JqError('mktime requires array inputs')
  const [year, month, day, hours, minutes, seconds] = readTime(input, 'mktime')
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  date.setUTCHours(hours, minutes, seconds)
  const time = date.getTime()
  if (Number.isNaN(time)) throw new JqError('invalid gmtime representation')
  return Math.floor(time / 1000)
}

function writeTime(input: Value, format: Value, name: string): Value {
  const seconds = toDouble(input)
  const time = seconds === undefined ? readTime(input, `${name}/1`) : timeOf(seconds)
  if (typeof format !== 'string') throw new JqError(`${name}/1 requires a string format`)
  spend((format.length >>> 4) + 1)
  const text = formatTime(time, format)
  if (text === '') throw new JqError(`${name}/1: unknown system failure`)
  return text
}
