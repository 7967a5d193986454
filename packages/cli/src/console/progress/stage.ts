import { formatAmount, formatDuration, formatRate, formatTimeLeft, type Unit } from '../text/amounts.js'
import type { Paint } from '../text/paint.js'
import { pad, truncate, truncateMiddle, visibleWidth } from '../text/width.js'

/** A snapshot of a stage. */
export interface StageView {
  /** Already safe to print. */
  readonly label: string
  readonly unit: Unit
  readonly amount: number
  readonly total: number | undefined
  readonly milliseconds: number
  /** The recent amount per second; undefined before the first sample. */
  readonly rate: number | undefined
  readonly state: 'waiting' | 'running' | 'done'
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

const LONGEST_BAR = 30
const SHORTEST_BAR = 8

/** Labels take at most this share of a line. */
const LABEL_SHARE = 0.4

const GAP = '  '

/**
 * The final line of a stage.
 *
 * @example
 * describeStage({ label: 'Parsing rules', unit: 'rules', amount: 12, milliseconds: 3 }, paint)
 * // 'Parsing rules done! [12 rules in 3ms; 4.0k rules/s]'
 */
export function describeStage(
  { label, unit, amount, milliseconds }: Pick<StageView, 'label' | 'unit' | 'amount' | 'milliseconds'>,
  paint: Paint,
): string {
  const figures = `${formatAmount(amount, unit)} in ${formatDuration(milliseconds)}; ${formatRate(amount, milliseconds, unit)}`
  return `${label} ${paint('good', 'done!')} ${paint('dim', `[${figures}]`)}`
}

/**
 * The live lines of stages: the labels in a column, then the figures that fit. Less important figures are left out first. A line
 * is always narrower than the terminal, because some terminals wrap at the last column.
 *
 * @example
 * drawStages(views, { columns: 100, frame: 7, paint })
 */
export function drawStages(
  views: readonly StageView[],
  { columns, frame, paint }: { readonly columns: number; readonly frame: number; readonly paint: Paint },
): string[] {
  const width = Math.max(1, columns - 1)
  const longest = Math.max(0, ...views.map(({ label }) => visibleWidth(label)))
  const labelWidth = Math.min(longest, Math.max(12, Math.floor(width * LABEL_SHARE)))
  const spinner = SPINNER[frame % SPINNER.length]!
  return views.map((view) => {
    if (view.state === 'done') return truncate(`${paint('good', '✓')} ${describeStage(view, paint)}`, width)
    const label = pad(truncateMiddle(view.label, labelWidth), labelWidth)
    if (view.state === 'waiting') return truncate(paint('dim', `  ${label.trimEnd()}`), width)
    const start = `${paint('code', spinner)} ${label}`
    return truncate(`${start}${drawFigures(view, width - labelWidth - 2, paint)}`.trimEnd(), width)
  })
}

/** The figures that fit, by importance: share, rate, time left, amount; a bar takes the remaining width. */
function drawFigures(view: StageView, available: number, paint: Paint): string {
  const { amount, total, rate, unit, milliseconds } = view
  const share = shareOf(view)
  const left = rate && total && share !== undefined ? ((total - amount) * 1000) / rate : undefined
  const columns = [
    { order: 0, text: share === undefined ? '' : `${Math.floor(share * 100)}%`.padStart(4) },
    { order: 3, text: alignBytes(formatAmount(amount, unit), unit, 8) },
    {
      order: 1,
      text: rate === undefined || unit === 'problems' ? '' : alignBytes(formatRate(rate, 1000, unit), unit, 10),
    },
    { order: 2, text: timeText(share, left, milliseconds) },
  ].filter(({ text }) => text !== '')
  const width = () => columns.reduce((sum, { text }) => sum + GAP.length + text.length, 0)
  while (columns.length > 0 && width() > available) {
    const last = Math.max(...columns.map(({ order }) => order))
    columns.splice(
      columns.findIndex(({ order }) => order === last),
      1,
    )
  }
  const bar = share === undefined ? '' : drawBar(share, available - width() - GAP.length, paint)
  return [bar, ...columns.map(({ text }) => text)].map((text) => (text === '' ? '' : GAP + text)).join('')
}

/** Aligns the figures of sources that are read at the same time. */
function alignBytes(text: string, unit: Unit, width: number): string {
  return unit === 'bytes' ? text.padStart(width) : text
}

function timeText(share: number | undefined, left: number | undefined, milliseconds: number): string {
  if (share === undefined) return formatDuration(Math.floor(milliseconds / 100) * 100)
  return left === undefined ? '' : `${formatTimeLeft(left)} left`
}

/** The share that is done; at most 1, even for a file that grows while it is read. */
function shareOf({ amount, total }: StageView): number | undefined {
  return total ? Math.min(1, amount / total) : undefined
}

function drawBar(share: number, available: number, paint: Paint): string {
  const length = Math.min(LONGEST_BAR, available)
  if (length < SHORTEST_BAR) return ''
  const full = Math.floor(share * length)
  return paint('code', '━'.repeat(full)) + paint('dim', '─'.repeat(length - full))
}

/** The state of a stage. */
export interface StageRecord {
  readonly label: string
  readonly unit: Unit
  total: number | undefined
  amount: number
  startedAt: number
  endedAt: number
  state: StageView['state'] | 'failed'
  /** The time and amount of the last sample. */
  sampledAt: number
  sampledAmount: number
  /** The recent amount and the time that it took; both decay exponentially. */
  recentAmount: number
  recentTime: number
}

/** The rate is averaged over about the last three seconds: steady, but a slow disk shows soon. */
const RATE_HORIZON = 3000

/** The order in which stages are chosen if not all fit. */
const PRECEDENCE = { running: 0, waiting: 1, done: 2, failed: 3 }

export function createStageRecord(label: string, unit: Unit, total: number | undefined, now: number): StageRecord {
  const times = { startedAt: now, endedAt: now, sampledAt: now }
  const amounts = { amount: 0, sampledAmount: 0, recentAmount: 0, recentTime: 0 }
  return { label, unit, total, ...times, ...amounts, state: 'waiting' }
}

export function isOver({ state }: StageRecord): boolean {
  return state === 'done' || state === 'failed'
}

/** Restarts the clock of a stage. */
export function beginStage(stage: StageRecord, now: number): void {
  Object.assign(stage, { state: 'running', startedAt: now, sampledAt: now, sampledAmount: stage.amount })
}

/** Adds the work since the last sample to the moving average. */
export function sampleStage(stage: StageRecord, now: number): void {
  const elapsed = now - stage.sampledAt
  if (stage.state !== 'running' || elapsed <= 0) return
  const fading = Math.exp(-elapsed / RATE_HORIZON)
  stage.recentAmount = stage.recentAmount * fading + (stage.amount - stage.sampledAmount)
  stage.recentTime = stage.recentTime * fading + elapsed
  stage.sampledAt = now
  stage.sampledAmount = stage.amount
}

/** A snapshot of a stage that did not fail. */
export function viewStage(stage: StageRecord, now: number): StageView {
  const { label, unit, amount, total } = stage
  const state = stage.state === 'failed' ? 'done' : stage.state
  const end = state === 'done' ? stage.endedAt : now
  const rate = stage.recentTime > 0 ? (stage.recentAmount * 1000) / stage.recentTime : undefined
  return { label, unit, amount, total, state, rate, milliseconds: Math.max(0, end - stage.startedAt) }
}

/** The most important stages that fit, in the order of creation; one line is left for the count of the others. */
export function chooseStages(stages: readonly StageRecord[], limit: number): readonly StageRecord[] {
  if (stages.length <= limit) return stages
  const byPrecedence = [...stages].sort((a, b) => PRECEDENCE[a.state] - PRECEDENCE[b.state])
  const chosen = new Set(byPrecedence.slice(0, Math.max(0, limit - 1)))
  return stages.filter((stage) => chosen.has(stage))
}
