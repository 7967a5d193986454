import type { MessagePort } from 'node:worker_threads'
import type { ReadingFormat, ScannedSegment } from '@omen/engine'

/** What a worker is given when it starts: where tasks come from and results go to. */
export interface WorkerStart {
  readonly port: MessagePort
}

/** A file to scan, of which the worker takes one segment after the other. */
export interface WorkerTask {
  readonly path: string
  readonly size: number
  readonly format: ReadingFormat
  readonly now: string
  /** The rules in their cache form. */
  readonly rules: string
  /** Shared counters of this task, see COUNTERS. */
  readonly counters: SharedArrayBuffer
}

/** What a worker sends: a segment that it scanned, a warning, or why it cannot go on. */
export type WorkerMessage =
  | { readonly index: number; readonly segment: ScannedSegment }
  | { readonly warning: string }
  | { readonly error: string }

/** Places of the shared counters. */
export const COUNTERS = {
  /** The next segment that nobody has taken. */
  next: 0,
  /** How many segments were delivered: workers do not run too far ahead of it, so that memory stays bounded. */
  delivered: 1,
  /** Raised whenever a worker has sent something: the main thread waits on it. */
  sent: 2,
} as const

/** Makes the counters of a task. */
export function createCounters(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * Object.keys(COUNTERS).length)
}

/** How many segments may be scanned and wait for their turn. */
export const MOST_AHEAD = 6
