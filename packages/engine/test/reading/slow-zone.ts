/** Zones whose clocks change in different ways, some of them seldom or never. */
export const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Pacific/Apia',
]

const HOUR = 3600

/** Remembers the results of a slow function of a zone and a number. */
function remembered<T>(compute: (zone: string, value: number) => T): (zone: string, value: number) => T {
  const known = new Map<string, T>()
  return (zone, value) => {
    const key = `${zone} ${value}`
    if (!known.has(key)) known.set(key, compute(zone, value))
    return known.get(key)!
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clocks of a zone show at a moment: seconds since 1970 if they showed UTC. */
export function localAt(zone: string, seconds: number): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(zone, format)
  }
  return Date.parse(`${format.format(seconds * 1000).replace(' ', 'T')}Z`) / 1000
}

/** All moments at which the clocks show a local time, the earliest first; if they skip it, as if they had not changed. */
export const momentsOf = remembered((zone, local) => {
  const hours = Array.from({ length: 61 }, (_, i) => local + (i - 30) * HOUR)
  const offsets = hours.map((seconds) => localAt(zone, seconds) - seconds)
  const moments = [...new Set(offsets)].map((offset) => local - offset)
  const shown = moments.filter((seconds) => localAt(zone, seconds) === local).sort((a, b) => a - b)
  return shown.length > 0 ? shown : [local - offsets[0]]
})

/** The moments in a year at which the clocks of a zone are changed. */
export const changesIn = remembered((zone, year) => {
  const offset = (seconds: number) => localAt(zone, seconds) - seconds
  const between = (start: number, end: number): number[] => {
    if (end - start > HOUR / 2) return [between(start, (start + end) / 2), between((start + end) / 2, end)].flat()
    return offset(start) === offset(end) ? [] : [end]
  }
  const days = Array.from({ length: 366 }, (_, day) => Date.UTC(year, 0, day + 1) / 1000)
  return days.flatMap((day) => (offset(day) === offset(day + 24 * HOUR) ? [] : between(day, day + 24 * HOUR)))
})

/** The moments of the local times of a log, in its order: the oracle of local time. */
export function slowMoments(zone: string, locals: readonly number[]): number[] {
  return locals.map((local, index) => {
    const [first, second] = momentsOf(zone, local)
    if (second === undefined) return first
    const length = second - first
    const isOfSameHour = (other: number) => momentsOf(zone, other).length > 1 && Math.abs(other - local) < length
    const before = locals.slice(0, index)
    const entered = before.findLastIndex((other) => !isOfSameHour(other)) + 1
    if (entered > 0 && before[entered - 1] > local) return second
    let latest = locals[entered]
    for (const time of locals.slice(entered, index + 1)) {
      if (latest - time > Math.min(1800, length / 2)) return second
      latest = Math.max(latest, time)
    }
    return first
  })
}
