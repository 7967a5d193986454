import type { OffsetAt, ZoneOption } from '@omen/engine'

/** The zone of this machine (`TZ`), as settings and flags name it. */
export const LOCAL_ZONE = 'local'

const UTC = 'UTC'

/** How many seconds the clocks of this machine are ahead of UTC. Unlike `Intl`, `Date` needs no time to load its tables. */
const machineOffset: OffsetAt = (seconds) => -60 * new Date(seconds * 1000).getTimezoneOffset()

/**
 * The zone for the engine's option: of timestamps without a zone in a file. A file without one is in UTC.
 *
 * @example
 * createDetector(rules, { zone: engineZone(file.zone) })
 */
export function engineZone(zone: string | undefined): ZoneOption {
  if (zone !== LOCAL_ZONE) return zone ?? UTC
  return isUtc() ? UTC : machineOffset
}

const FIRST_YEAR = 1970
const YEARS = 80
const MONTHS = [0, 3, 6, 9]

let known: { readonly zone: string | undefined; readonly isUtc: boolean } | undefined

/** Whether the clocks of this machine always show UTC: then no local time has to be looked up. */
function isUtc(): boolean {
  const { TZ: zone } = process.env
  if (!known || known.zone !== zone) {
    const years = Array.from({ length: YEARS }, (_, year) => FIRST_YEAR + year)
    const isZero = (year: number) => MONTHS.every((month) => machineOffset(Date.UTC(year, month) / 1000) === 0)
    known = { zone, isUtc: years.every(isZero) }
  }
  return known.isUtc
}
