import type { Unit } from './amounts.js'
import type { StageView } from './stage-line.js'

/** What is remembered of a stage. */
export interface StageRecord {
  readonly label: string
  readonly unit: Unit
  total: number | undefined
  amount: number
  startedAt: number
  endedAt: number
  state: StageView['state'] | 'failed'
  /** When the rate was last reckoned, and how much was done by then. */
  sampledAt: number
  sampledAmount: number
  /** What was done of late, and in which time: both fade away. */
  recentAmount: number
  recentTime: number
}

/** The rate shown is that of about the last three seconds: it must not jump, and it must tell when a disk slows down. */
const RATE_HORIZON = 3000

/** What is shown first where not everything fits. */
const PRECEDENCE = { running: 0, waiting: 1, done: 2, failed: 3 }

export function createStageRecord(label: string, unit: Unit, total: number | undefined, now: number): StageRecord {
  const times = { startedAt: now, endedAt: now, sampledAt: now }
  const amounts = { amount: 0, sampledAmount: 0, recentAmount: 0, recentTime: 0 }
  return { label, unit, total, ...times, ...amounts, state: 'waiting' }
}

export function isOver({ state }: StageRecord): boolean {
  return state === 'done' || state === 'failed'
}

/** Starts the clock of a stage anew. */
export function beginStage(stage: StageRecord, now: number): void {
  Object.assign(stage, { state: 'running', startedAt: now, sampledAt: now, sampledAmount: stage.amount })
}

/** Takes the work since the last time into account; what is longer ago counts less and less. */
export function sampleStage(stage: StageRecord, now: number): void {
  const elapsed = now - stage.sampledAt
  if (stage.state !== 'running' || elapsed <= 0) return
  const fading = Math.exp(-elapsed / RATE_HORIZON)
  stage.recentAmount = stage.recentAmount * fading + (stage.amount - stage.sampledAmount)
  stage.recentTime = stage.recentTime * fading + elapsed
  stage.sampledAt = now
  stage.sampledAmount = stage.amount
}

/** What can be said of a stage that did not fail. */
export function viewStage(stage: StageRecord, now: number): StageView {
  const { label, unit, amount, total } = stage
  const state = stage.state === 'failed' ? 'done' : stage.state
  const end = state === 'done' ? stage.endedAt : now
  const rate = stage.recentTime > 0 ? (stage.recentAmount * 1000) / stage.recentTime : undefined
  return { label, unit, amount, total, state, rate, milliseconds: Math.max(0, end - stage.startedAt) }
}

/** Those that matter most, in the order of their creation; with one line less where the others need one to be counted. */
export function chooseStages(stages: readonly StageRecord[], limit: number): readonly StageRecord[] {
  if (stages.length <= limit) return stages
  const byPrecedence = [...stages].sort((a, b) => PRECEDENCE[a.state] - PRECEDENCE[b.state])
  const chosen = new Set(byPrecedence.slice(0, Math.max(0, limit - 1)))
  return stages.filter((stage) => chosen.has(stage))
}
