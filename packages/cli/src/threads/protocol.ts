import type { MessagePort } from 'node:worker_threads'
import type { DetectorOptions, Hit, ReadingFormat, ScannedSegment } from '@omen/engine'
import type { Amount, ScanSettings } from '../matching/events.js'
import type { Source } from '../sources/source.js'

/** What a worker is given when it starts: where tasks come from and results go to. */
export interface WorkerStart {
  readonly port: MessagePort
}

/** A file to scan, of which the worker takes one segment after the other. */
export interface SegmentsTask {
  readonly kind: 'segments'
  readonly path: string
  readonly size: number
  readonly format: ReadingFormat
  readonly options: SegmentsOptions
  /** The rules in their cache form. */
  readonly rules: string
  /** Shared counters of this task, see COUNTERS. */
  readonly counters: SharedArrayBuffer
}

export type SegmentsOptions = Pick<DetectorOptions, 'source' | 'now' | 'skip'>

/** Sources to scan, of which the worker takes one after the other. */
export interface SourcesTask {
  readonly kind: 'sources'
  readonly sources: readonly Source[]
  readonly settings: ScanSettings
  readonly rules: string
  readonly counters: SharedArrayBuffer
  /** How far each source is: two numbers each, the bytes taken and the lines read. */
  readonly progress: SharedArrayBuffer
}

export type WorkerTask = SegmentsTask | SourcesTask

/** A detection on its way between threads: the rule is named by its CRE. */
export interface SentDetection {
  readonly creId: string
  readonly hits: readonly Hit[]
}

/** What a worker sends. */
export type WorkerMessage =
  | { readonly index: number; readonly segment: ScannedSegment }
  | { readonly index: number; readonly found: readonly SentDetection[] }
  | { readonly index: number; readonly finished: Amount }
  | { readonly index: number; readonly problem: string }
  | { readonly index: number; readonly warning: string }
  | { readonly error: string }

/** Places of the shared counters. */
export const COUNTERS = {
  /** The next segment or source that nobody has taken. */
  next: 0,
  /** How many segments were delivered: workers do not run too far ahead of it, so that memory stays bounded. */
  delivered: 1,
  /** Raised whenever a worker has sent something: the main thread waits on it. */
  sent: 2,
  /** 1 when the scan is to stop. */
  stop: 3,
} as const

/** Makes the counters of a task. */
export function createCounters(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * Object.keys(COUNTERS).length)
}

/** How many segments may be scanned and wait for their turn. */
export const MOST_AHEAD = 6

/** A worker that died says so by an event, and Ctrl-C is one: the events get a turn at least this often. */
export const LONGEST_WAIT_MS = 50
