import { nearest } from '../messages/nearest.js'
import { quote } from '../messages/quote.js'

/** How many seconds the clocks of a zone are ahead of UTC at a moment, which is given in seconds since 1970. */
export type OffsetAt = (seconds: number) => number

/**
 * A range of local time, in seconds since 1970 as the clocks on the wall show them: `from` is part of it, `to` is not. One
 * offset from UTC holds in it. When clocks are set back, the range that they show twice is a stretch of its own, with the
 * offset before the change and the one after it. When they are set forward, the times that they skip belong to the stretch
 * before.
 */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly offset: number
  /** The offset of the second pass; the same as `offset` if the clocks show these times once. */
  readonly secondOffset: number
}

/** A time zone. */
export interface Zone {
  /** One offset holds at all times. */
  readonly isFixed: boolean
  /** The stretch around a local time. It may be shorter than it could be. */
  stretchAt(local: number): Stretch
  /** The local time at a moment. */
  localAt(seconds: number): number
}

/** The name of a zone (`Europe/Berlin`), an offset (`+02:00`), or a function that gives the offset at a moment. */
export type ZoneOption = string | OffsetAt

export const UTC = 'UTC'

const known = new Map<ZoneOption, Zone>()

/**
 * Opens a time zone. Throws an error with the nearest name if it is not known.
 *
 * @example
 * openZone('Europe/Berlin').localAt(0) // 3600
 */
export function openZone(option: ZoneOption = UTC): Zone {
  let zone = known.get(option)
  if (!zone) {
    zone = createZone(option)
    known.set(option, zone)
  }
  return zone
}

/**
 * Throws an error with the nearest name if a time zone is not known.
 *
 * @example
 * checkZone('Europe/Berln') // unknown time zone "Europe/Berln". Did you mean Europe/Berlin?
 */
export function checkZone(name: string): void {
  if (readOffset(name) === undefined) dateFormat(name)
}

function createZone(option: ZoneOption): Zone {
  if (typeof option === 'function') return changingZone(option)
  const offset = readOffset(option)
  if (offset !== undefined) return fixedZone(offset)
  checkZone(option)
  return changingZone(namedOffset(option))
}

const OFFSET = /^([+-])(\d\d?)(?::?([0-5]\d))?$/
const UTC_NAMES = ['UTC', 'Z', 'ETC/UTC', 'GMT']

/** The seconds of a fixed offset, or undefined if it is not one. UTC is known without loading anything. */
function readOffset(name: string): number | undefined {
  if (UTC_NAMES.includes(name.toUpperCase())) return 0
  const [, sign, hours, minutes = '0'] = OFFSET.exec(name) ?? []
  if (hours === undefined || Number(hours) > 23) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

function fixedZone(offset: number): Zone {
  const stretch = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER, offset, secondOffset: offset }
  return { isFixed: true, stretchAt: () => stretch, localAt: (seconds) => seconds + offset }
}

/** Loading the tables of `Intl` takes up to 20 ms, so it happens with the first local time that is read. */
function namedOffset(name: string): OffsetAt {
  let format: Intl.DateTimeFormat | undefined
  return (seconds) => {
    format ??= dateFormat(name)
    const parts = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]))
    const [year, month, day] = [parts.get('year')!, parts.get('month')!, parts.get('day')!]
    const local = Date.UTC(year, month - 1, day, parts.get('hour'), parts.get('minute'), parts.get('second'))
    return local / 1000 - seconds
  }
}

function dateFormat(name: string): Intl.DateTimeFormat {
  const [date, time] = [{ year: 'numeric', month: 'numeric', day: 'numeric' } as const, 'numeric' as const]
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      ...date,
      hour: time,
      minute: time,
      second: time,
    })
  } catch {
    throw new Error(unknownZone(name))
  }
}

function unknownZone(name: string): string {
  const names = Intl.supportedValuesOf('timeZone')
  const byCity = new Map(names.map((full) => [full.slice(full.lastIndexOf('/') + 1), full]))
  const city = nearest(name, byCity.keys())
  const near = nearest(name, names) ?? (city && byCity.get(city))
  const problem = `unknown time zone ${quote(name)}`
  return near
    ? `${problem}. Did you mean ${near}?`
    : `${problem}: write a name such as Europe/Berlin, an offset such as +02:00, or UTC`
}

const DAY = 86_400

/** Changes of the offset are looked up for this much local time at once, one look per day. */
const CELL = 32 * DAY

/** Local time is less than two days from UTC, including a range that occurs twice. */
const MARGIN = 2 * DAY

function changingZone(offsetAt: OffsetAt): Zone {
  const cells = new Map<number, readonly Stretch[]>()
  return {
    isFixed: false,
    localAt: (seconds) => seconds + offsetAt(seconds),
    stretchAt(local) {
      const index = Math.floor(local / CELL)
      let stretches = cells.get(index)
      if (!stretches) {
        stretches = stretchesOf(offsetAt, index * CELL - MARGIN, (index + 1) * CELL + MARGIN)
        cells.set(index, stretches)
      }
      return stretches.find(({ to }) => local < to)!
    },
  }
}

/** The stretches of local time between two moments that are whole days apart. */
function stretchesOf(offsetAt: OffsetAt, start: number, end: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  let offset = offsetAt(start)
  let from = start + offset
  const add = (to: number, secondOffset = offset) => {
    stretches.push({ from, to, offset, secondOffset })
    from = to
  }
  for (let day = start; day < end; day += DAY) {
    const next = offsetAt(day + DAY)
    if (next === offset) continue
    const change = findChange(offsetAt, day, day + DAY)
    add(change + next)
    if (next < offset) add(change + offset, next)
    offset = next
  }
  add(end + offset)
  return stretches
}

/** The first second at which the offset is no longer that of `start`. */
function findChange(offsetAt: OffsetAt, start: number, end: number): number {
  const before = offsetAt(start)
  let [low, high] = [start, end]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return high
}
