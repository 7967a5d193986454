import { useNow } from '../../controls/use-now.js'
import { relativeTime } from './relative-time.js'

/** Minutes are shown, so half of one is soon enough. */
const PACE = 30_000

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A time of the service, as people say it; the exact one stands behind it. */
export function Moment({ at }: { readonly at: string | null }) {
  const now = useNow(PACE)
  const time = at === null ? Number.NaN : Date.parse(at)
  if (at === null || Number.isNaN(time)) return <>never</>
  return (
    <time dateTime={at} title={EXACT.format(time)}>
      {relativeTime(time, now)}
    </time>
  )
}

/** The same, exact. */
export function ExactMoment({ at }: { readonly at: string }) {
  const time = Date.parse(at)
  return (
    <time dateTime={at} title={at}>
      {Number.isNaN(time) ? at : EXACT.format(time)}
    </time>
  )
}
