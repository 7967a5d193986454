import type { Screen } from '../screen.js'
import { createPaint } from '../text/paint.js'
import { truncate } from '../text/width.js'
import { createLiveRegion } from './live-region.js'
import { chooseStages, drawStages, type StageRecord, sampleStage, viewStage } from './stage.js'

/** The stages whose final lines are not yet printed, live on a terminal. */
export interface LiveView {
  /** Draws the stages, unless that was done a moment ago. */
  drawDue(): void
  /** Writes whole lines above the stages. */
  print(text: string): void
  /** Takes the stages away while `write` writes to the same terminal. */
  aside(write: () => void): void
  /** Takes the stages away for good; lines can still be printed. */
  stop(): void
}

/** Live lines are redrawn at most ten times a second. They also first appear after that time: a short run shows none. */
const REDRAW_MILLISECONDS = 100

/** Lines of the window that are left to what was printed before. */
const ROWS_KEPT = 3

const USUAL_ROWS = 24

/**
 * Makes the live view of the stages that `pending` names at each moment. Elsewhere than on a terminal it only prints.
 *
 * @example
 * const view = createLiveView(screen, monotonic, () => stages.filter((stage) => !isPrinted(stage)))
 */
export function createLiveView(screen: Screen, clock: () => number, pending: () => readonly StageRecord[]): LiveView {
  const paint = createPaint(screen.colours)
  const region = createLiveRegion(screen)
  let frame = 0
  let lastDrawn = clock()
  let isStopped = !screen.isTerminal

  const drawLines = (now: number) => {
    const limit = Math.max(1, (screen.rows ?? USUAL_ROWS) - ROWS_KEPT)
    const stages = pending().filter(({ state }) => state !== 'failed')
    const shown = chooseStages(stages, limit)
    const views = shown.map((stage) => viewStage(stage, now))
    const lines = drawStages(views, { columns: screen.columns, frame, paint })
    const hidden = stages.length - shown.length
    if (hidden === 0) return lines
    return [...lines, paint('dim', truncate(`  … and ${hidden} more`, screen.columns - 1))]
  }

  const redraw = (text = '') => {
    const lines = drawLines(clock())
    if (lines.length > 0) region.draw(lines, text)
    else {
      region.clear()
      if (text !== '') screen.write(text)
    }
  }

  return {
    drawDue() {
      const now = clock()
      if (isStopped || now - lastDrawn < REDRAW_MILLISECONDS) return
      lastDrawn = now
      frame++
      for (const stage of pending()) sampleStage(stage, now)
      redraw()
    },
    print(text) {
      if (region.isShown) redraw(text)
      else screen.write(text)
    },
    aside(write) {
      const wasShown = region.isShown
      region.clear()
      write()
      if (wasShown) redraw()
    },
    stop() {
      isStopped = true
      region.clear()
    },
  }
}
