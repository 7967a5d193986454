import type { Screen } from '../screen.js'
import type { Unit } from '../text/amounts.js'
import { createPaint } from '../text/paint.js'
import { sanitize } from '../text/sanitize.js'
import { createLiveView } from './live-view.js'
import { beginStage, createStageRecord, describeStage, isOver, type StageRecord, viewStage } from './stage.js'

/** A part of the work, with a line of its own. */
export interface Stage {
  /** Starts its clock anew, when that is not the moment it was created. */
  start(): void
  /** How much is done by now, in all; the total where it became known or changed. Cheap: meant to be called often. */
  update(amount: number, total?: number): void
  /** It is over: its line is printed as soon as those of all stages created before it are. */
  done(amount: number): void
  /** It came to nothing: its line disappears. */
  fail(): void
}

/** The progress of a run on the screen. */
export interface Progress {
  /** Adds a stage. The order in which stages are created is the order in which their lines are printed. */
  stage(label: string, unit: Unit, total?: number): Stage
  /** Writes a line above the live lines. */
  print(line: string): void
  /** Takes the live lines away while `write` writes elsewhere to the same terminal: a warning on standard error. */
  aside(write: () => void): void
  /** Takes the live lines away for good and shows the cursor again; lines can still be printed. To be called in any case. */
  stop(): void
}

export interface ProgressOptions {
  /** Nothing at all is written. */
  readonly quiet: boolean
  /** Milliseconds; only differences matter. */
  readonly clock: () => number
  /**
   * Calls `redraw` about ten times a second until the function that it returns is called: what waits for a slow pipe then
   * still shows that it lives. Without it, live lines are drawn when a stage is updated.
   */
  readonly tick?: (redraw: () => void) => () => void
}

/**
 * Shows how far a run is. On a terminal there are live lines, elsewhere only the final ones, which are printed in the order in
 * which the stages were created.
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

  /** Prints the final lines of stages that no stage before them holds back. */
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

/** A screen on which nothing is shown. */
function silent(screen: Screen): Screen {
  return { ...screen, isTerminal: false, write: () => {} }
}
