import type { Screen } from '../screen.js'
import { visibleWidth } from '../text/width.js'

const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
/** If a line is wider than measured (fonts and terminals differ), the terminal cuts it instead of wrapping it. */
const WRAP_OFF = '\u001b[?7l'
const WRAP_ON = '\u001b[?7h'
const END_OF_LINE = '\u001b[K\n'
const ERASE_BELOW = '\u001b[J'

/** Lines at the bottom of a terminal that are redrawn. */
export interface LiveRegion {
  readonly isShown: boolean
  /** Prints `text` (whole lines) above the region, and redraws the region. */
  draw(lines: readonly string[], text?: string): void
  /** Removes the region and shows the cursor again. */
  clear(): void
}

/**
 * Creates a live region on a terminal. Every change is one write, to avoid flicker; the cursor stays on the line below the region,
 * where an echoed `^C` does no harm.
 *
 * @example
 * const region = createLiveRegion(screen)
 * region.draw(['Reading app.log  45%'])
 * region.clear()
 */
export function createLiveRegion(screen: Screen): LiveRegion {
  let drawn: readonly string[] | undefined
  const countDrawn = () => countRows(drawn ?? [], screen.columns)
  return {
    get isShown() {
      return drawn !== undefined
    },
    draw(lines, text = '') {
      const hide = drawn === undefined ? HIDE_CURSOR : ''
      const rows = countDrawn()
      const above = text === '' ? '' : `${eraseBelow(rows)}${text}`
      const region = lines.map((line) => line + END_OF_LINE).join('')
      screen.write(`${hide}${moveUp(rows)}${above}${WRAP_OFF}${region}${ERASE_BELOW}${WRAP_ON}`)
      drawn = lines
    },
    clear() {
      if (drawn === undefined) return
      const rows = countDrawn()
      screen.write(`${moveUp(rows)}${eraseBelow(rows)}${SHOW_CURSOR}`)
      drawn = undefined
    },
  }
}

function moveUp(rows: number): string {
  return rows === 0 ? '' : `\r\u001b[${rows}A`
}

/**
 * Erases lines one by one: when everything from the top of the window is erased at once, tmux keeps the old content in its
 * scrollback.
 */
function eraseBelow(rows: number): string {
  return END_OF_LINE.repeat(rows) + moveUp(rows)
}

/** The number of rows that lines take now: a window that became narrower has wrapped them. */
function countRows(lines: readonly string[], columns: number): number {
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(visibleWidth(line) / columns)), 0)
}
