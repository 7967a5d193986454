import { useNow } from '../../controls/use-request.js'

/** Minutes are shown, so an update every half minute is enough. */
const UPDATE_MS = 30_000

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A time relative to now, with the exact time as tooltip; “never” for null. */
export function RelativeTime({ at }: { readonly at: string | null }) {
  const now = useNow(UPDATE_MS)
  const time = at === null ? Number.NaN : Date.parse(at)
  if (at === null || Number.isNaN(time)) return <>never</>
  return (
    <time dateTime={at} title={EXACT.format(time)}>
      {relativeTime(time, now)}
    </time>
  )
}

/** A time as date and time of day. */
export function ExactTime({ at }: { readonly at: string }) {
  const time = Date.parse(at)
  return (
    <time dateTime={at} title={at}>
      {Number.isNaN(time) ? at : EXACT.format(time)}
    </time>
  )
}

/** How many seconds each unit has, the largest first. */
const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/**
 * Formats a past or future time relative to now, in one unit.
 *
 * @example
 * relativeTime(Date.now() - 3 * 3_600_000, Date.now()) // '3 hours ago'
 */
export function relativeTime(time: number, now: number): string {
  const seconds = (time - now) / 1000
  for (const [unit, length] of UNITS) {
    const amount = Math.trunc(seconds / length)
    if (amount !== 0) return FORMAT.format(amount, unit)
  }
  return seconds > 0 ? 'in less than a minute' : 'just now'
}
