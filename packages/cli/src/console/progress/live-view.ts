import type { Screen } from '../screen.js'
import { createPaint } from '../text/paint.js'
import { truncate } from '../text/width.js'
import { createLiveRegion } from './live-region.js'
import { chooseStages, drawStages, type StageRecord, sampleStage, viewStage } from './stage.js'

/** Live lines for the stages whose final lines are not yet printed. */
export interface LiveView {
  /** Redraws the stages, at most ten times a second. */
  drawDue(): void
  /** Prints whole lines above the stages. */
  print(text: string): void
  /** Hides the stages while `write` writes to the same terminal. */
  aside(write: () => void): void
  /** Removes the stages; lines can still be printed. */
  stop(): void
}

/** The minimum time between two redraws, and before the first: a short run shows no live lines. */
const REDRAW_MILLISECONDS = 100

/** Rows of the window that are kept for earlier output. */
const ROWS_KEPT = 3

const DEFAULT_ROWS = 24

/**
 * Creates the live view of the stages that `pending` returns. If the screen is not a terminal, it only prints.
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
    const limit = Math.max(1, (screen.rows ?? DEFAULT_ROWS) - ROWS_KEPT)
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
