import type { Screen } from '../screen.js'
import type { Unit } from '../text/amounts.js'
import { createPaint } from '../text/paint.js'
import { sanitize } from '../text/sanitize.js'
import { createLiveView } from './live-view.js'
import { beginStage, createStageRecord, describeStage, isOver, type StageRecord, viewStage } from './stage.js'

/** A part of the work that has its own line. */
export interface Stage {
  /** Restarts the clock, if the work did not begin when the stage was created. */
  start(): void
  /** Reports how much is done so far, and the total if it is known. Cheap enough to be called often. */
  update(amount: number, total?: number): void
  /** Ends the stage; its line is printed after the lines of all stages that were created before. */
  done(amount: number): void
  /** Ends the stage and removes its line. */
  fail(): void
}

/** The progress of a run on the screen. */
export interface Progress {
  /** Adds a stage. The order in which stages are created is the order in which their lines are printed. */
  stage(label: string, unit: Unit, total?: number): Stage
  /** Prints a line above the live lines. */
  print(line: string): void
  /** Hides the live lines while `write` writes to the same terminal, such as a warning to standard error. */
  aside(write: () => void): void
  /** Removes the live lines and shows the cursor again; lines can still be printed. Must always be called. */
  stop(): void
}

export interface ProgressOptions {
  /** Write nothing. */
  readonly quiet: boolean
  /** Milliseconds; only differences matter. */
  readonly clock: () => number
  /**
   * Calls `redraw` about ten times a second until the returned function is called, so that live lines also move while a slow
   * pipe is read. Without it, live lines are redrawn only when a stage is updated.
   */
  readonly tick?: (redraw: () => void) => () => void
}

/**
 * Shows the progress of a run: live lines on a terminal, elsewhere only final lines. Final lines are printed in the order in which
 * the stages were created.
 *
 * @example
 * const progress = createProgress(screen, { quiet: false, clock: monotonic })
 * const reading = progress.stage('Reading stdin', 'bytes', size)
 * reading.update(1 << 20)
 * reading.done(size)     // Reading stdin done! [11.8 kB in 71ms; 165.8 kB/s]
 * progress.stop()
 */
export function createProgress(screen: Screen, { quiet, clock, tick }: ProgressOptions): Progress {
  const stages: StageRecord[] = []
  let printed = 0
  const view = createLiveView(quiet ? silent(screen) : screen, clock, () => stages.slice(printed))
  const paint = createPaint(screen.colours)
  let isStopped = quiet || !screen.isTerminal
  let stopTicking: (() => void) | undefined

  /** Prints the final lines of ended stages, up to the first stage that has not ended. */
  const settle = () => {
    let text = ''
    for (; printed < stages.length && isOver(stages[printed]!); printed++) {
      const stage = stages[printed]!
      if (stage.state === 'done') text += `${describeStage(viewStage(stage, stage.endedAt), paint)}\n`
    }
    if (text === '') view.drawDue()
    else view.print(text)
  }

  const end = (stage: StageRecord, state: 'done' | 'failed', amount: number) => {
    if (isOver(stage)) return
    Object.assign(stage, { state, amount, endedAt: clock() })
    settle()
  }

  return {
    stage(label, unit, total) {
      const stage = createStageRecord(sanitize(label), unit, total, clock())
      stages.push(stage)
      if (!isStopped) stopTicking ??= tick?.(view.drawDue)
      return {
        start() {
          if (!isOver(stage)) beginStage(stage, clock())
        },
        update(amount, total) {
          if (isOver(stage)) return
          stage.amount = amount
          if (total !== undefined) stage.total = total
          if (stage.state === 'waiting') stage.state = 'running'
          view.drawDue()
        },
        done: (amount) => end(stage, 'done', amount),
        fail: () => end(stage, 'failed', stage.amount),
      }
    },
    print: (line) => view.print(`${line}\n`),
    aside: view.aside,
    stop() {
      isStopped = true
      stopTicking?.()
      stopTicking = undefined
      view.stop()
    },
  }
}

/** A screen that discards everything. */
function silent(screen: Screen): Screen {
  return { ...screen, isTerminal: false, write: () => {} }
}
