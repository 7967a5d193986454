import type { MessagePort } from 'node:worker_threads'
import type { DetectorOptions, Hit, ReadingFormat, ScannedSegment, WarningSubject } from '@omen/engine'
import type { Amount, ScanSettings } from '../matching/events.js'
import type { Source } from '../sources/source.js'

/** What a worker receives when it starts: the port for tasks and results. */
export interface WorkerStart {
  readonly port: MessagePort
}

/** A file to scan. The worker takes one segment after the other. */
export interface SegmentsTask {
  readonly kind: 'segments'
  readonly path: string
  readonly size: number
  /** The formats that are assumed before each segment. */
  readonly formats: readonly ReadingFormat[]
  /** The zone of the file: see SourceFile. */
  readonly zone: string | undefined
  readonly options: SegmentsOptions
  /** The rules in their cache form. */
  readonly rules: string
  /** Shared counters of this task, see COUNTERS. */
  readonly counters: SharedArrayBuffer
  readonly mostAhead: number
}

export type SegmentsOptions = Pick<DetectorOptions, 'source' | 'now' | 'skip'>

/** Sources to scan. The worker takes one after the other. */
export interface SourcesTask {
  readonly kind: 'sources'
  readonly sources: readonly Source[]
  readonly settings: ScanSettings
  readonly rules: string
  readonly counters: SharedArrayBuffer
  /** The progress of each source: two numbers, the bytes taken and the lines read. */
  readonly progress: SharedArrayBuffer
}

export type WorkerTask = SegmentsTask | SourcesTask

/** A detection as it is sent between threads: the rule is identified by its CRE. */
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
  | { readonly index: number; readonly warning: string; readonly subject?: WarningSubject }
  | { readonly error: string }

/** The indexes of the shared counters. */
export const COUNTERS = {
  /** The next segment or source that no thread has taken. */
  next: 0,
  /** The number of segments delivered. Workers do not run far ahead of it, so that memory stays bounded. */
  delivered: 1,
  /** Incremented when a worker has sent something: the main thread waits on it. */
  sent: 2,
  /** 1 when the scan is to stop. */
  stop: 3,
} as const

/** Creates the counters of a task. */
export function createCounters(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * Object.keys(COUNTERS).length)
}

/** The most segments that may be scanned before their turn: one for each thread, and some that are ready. */
export function mostAhead(threads: number): number {
  return threads + 2
}

/** The event loop runs at least this often: the end of a worker and Ctrl-C are events. */
export const MAX_WAIT_MS = 50
