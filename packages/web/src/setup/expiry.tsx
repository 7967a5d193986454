import { Icon } from '../controls/icon.js'
import { useNow } from '../controls/use-request.js'
import { type Progress, readToken } from './progress/progress.js'

/** Minutes are shown, so an update every quarter of a minute is enough. */
const UPDATE_MS = 15_000
/** Less remaining time than this is highlighted. */
const SOON_MS = 2 * 3_600_000

/** When the code and the transaction expire. */
export function Expiry({ progress: { token, transaction } }: { readonly progress: Progress }) {
  const now = useNow(UPDATE_MS)
  const code = readToken(token)
  if (code === undefined) return null
  const left = transaction === undefined ? undefined : transaction.expiresAt - now
  return (
    <ul className="expiry" aria-label="Expiry">
      <li data-soon={code.expiresAt - now < SOON_MS}>
        <Icon name="clock" />
        {code.expiresAt > now
          ? `Your code is valid until the end of ${lastDay(code.expiresAt)} (UTC).`
          : 'Your code has expired. Ask the operator for a new one.'}
      </li>
      {left !== undefined && (
        <li data-soon={left < SOON_MS}>
          <Icon name="clock" />
          {left > 0 ? `This set-up expires in ${formatRemaining(left)}.` : 'This set-up has expired. Repeat step 2.'}
        </li>
      )}
    </ul>
  )
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * Formats a duration in hours and minutes.
 *
 * @example
 * formatRemaining(47 * 3_600_000 + 59 * 60_000) // '47 h 59 min'
 */
export function formatRemaining(milliseconds: number): string {
  if (milliseconds < MINUTE) return 'less than a minute'
  const hours = Math.floor(milliseconds / HOUR)
  const minutes = Math.floor((milliseconds % HOUR) / MINUTE)
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`
}

/**
 * Formats the last day on which a token is valid. A token expires at the end of a day in UTC, which is the start of the next.
 *
 * @example
 * lastDay(Date.UTC(2027, 0, 1)) // '31 December 2026'
 */
export function lastDay(expiresAt: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(expiresAt - SECOND)
}
