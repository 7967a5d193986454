import { Icon } from '../controls/icon.js'
import { useNow } from '../controls/use-request.js'
import { type Progress, readToken } from './progress/progress.js'

/** Minutes are shown, so a quarter of one is soon enough. */
const PACE = 15_000
/** From here on it is worth a colour. */
const SOON = 2 * 3_600_000

/** Until when code and transaction work. Both are said before they run out, not when. */
export function Expiry({ progress: { token, transaction } }: { readonly progress: Progress }) {
  const now = useNow(PACE)
  const code = readToken(token)
  if (code === undefined) return null
  const left = transaction === undefined ? undefined : transaction.expiresAt - now
  return (
    <ul className="expiry" aria-label="Until when this works">
      <li data-soon={code.expiresAt - now < SOON}>
        <Icon name="clock" />
        {code.expiresAt > now
          ? `Your code works until the end of ${lastDay(code.expiresAt)} (UTC).`
          : 'Your code has expired. Ask the operator for a new one.'}
      </li>
      {left !== undefined && (
        <li data-soon={left < SOON}>
          <Icon name="clock" />
          {left > 0 ? `This set-up stays open for ${remaining(left)}.` : 'This set-up has expired: repeat step 2.'}
        </li>
      )}
    </ul>
  )
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * Says how long is left, in the two units that matter.
 *
 * @example
 * remaining(47 * 3_600_000 + 59 * 60_000) // '47 h 59 min'
 */
export function remaining(milliseconds: number): string {
  if (milliseconds < MINUTE) return 'less than a minute'
  const hours = Math.floor(milliseconds / HOUR)
  const minutes = Math.floor((milliseconds % HOUR) / MINUTE)
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`
}

/**
 * Names the last day on which a token works. A token ends with a day in UTC, so its last instant names the day.
 *
 * @example
 * lastDay(Date.UTC(2027, 0, 1)) // '31 December 2026'
 */
export function lastDay(expiresAt: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(expiresAt - SECOND)
}
