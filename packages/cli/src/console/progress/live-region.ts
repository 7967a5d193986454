import type { Screen } from '../screen.js'
import { visibleWidth } from '../text/width.js'

const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
/** A line that is wider here than it was measured (fonts and terminals differ) is cut by the terminal, not wrapped. */
const WRAP_OFF = '\u001b[?7l'
const WRAP_ON = '\u001b[?7h'
const END_OF_LINE = '\u001b[K\n'
const ERASE_BELOW = '\u001b[J'

/** Lines at the bottom of a terminal that are drawn again and again. */
export interface LiveRegion {
  readonly isShown: boolean
  /** Writes `text` (whole lines) above the region for good, and draws the region anew. */
  draw(lines: readonly string[], text?: string): void
  /** Takes the region off the screen and shows the cursor again. */
  clear(): void
}

/**
 * Makes a live region on a terminal. Every change is one write, so that nothing flickers; the cursor rests on the line below the
 * region, where a `^C` does no harm.
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
 * Lines are erased one by one: asked to erase everything from the top of the window on, tmux takes that for a new page and
 * keeps the old one among what has scrolled out.
 */
function eraseBelow(rows: number): string {
  return END_OF_LINE.repeat(rows) + moveUp(rows)
}

/** A window that was made narrower has folded the lines that were drawn for the wider one. */
function countRows(lines: readonly string[], columns: number): number {
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(visibleWidth(line) / columns)), 0)
}
