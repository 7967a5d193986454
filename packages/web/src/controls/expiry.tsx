import type { Progress } from '../progress/progress.js'
import { lastDay, remaining } from '../progress/remaining.js'
import { readToken } from '../progress/token.js'
import { Icon } from './icon.js'
import { useNow } from './use-now.js'

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
