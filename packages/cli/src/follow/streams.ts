import type { Origin } from '../sources/origin.js'
import type { Source, SourceFile } from '../sources/source.js'
import type { Counted } from './amounts.js'
import type { Detectors } from './detectors.js'
import { createMatching } from './matching.js'
import { followStream, type StreamFollowing } from './stream.js'
import type { FollowContext, Found } from './trail.js'

export interface StreamsOptions {
  readonly context: FollowContext
  readonly detectors: Detectors
  readonly found: Found
  /** The descriptor or the path that `-` stands for. */
  readonly standardInput: number | string
  /** What opens sources that are not on this machine. */
  readonly origin: Pick<Origin, 'follow'> | undefined
  /** Called when a stream has ended. */
  readonly onEnd: () => void
  /** Called when what was found cannot be told. */
  readonly fail: (error: unknown) => void
}

/** Standard input and named pipes, each read beside everything else. */
export interface Streams {
  /** Returns whether it is new. */
  add(source: Source, file: SourceFile): boolean
  /** Matches whole lines of streams from which nothing has come for this long. */
  flushAfter(quiet: number): Promise<void>
  /** Resolves when all have ended. */
  done(): Promise<void>
  readonly isOver: boolean
  readonly all: readonly Counted[]
}

export function createStreams(options: StreamsOptions): Streams {
  const { context, detectors, found, standardInput, origin, fail, onEnd } = options
  const followed = new Map<string, StreamFollowing & { readonly source: Source }>()
  let open = 0

  return {
    add(source, file) {
      const { path, timestamp } = file
      if (followed.has(path)) return false
      const name = path === '-' ? 'stdin' : path
      const matching = createMatching(detectors, {
        type: source.type,
        window: source.window,
        timestamp,
        tell: async (detections) => found(source, detections, { path }),
        warn: (message) => context.warn(`${name}: ${message}`),
      })
      const { clock, signal, problem, warn } = context
      const from = path === '-' ? standardInput : path
      const opening = origin && (() => origin.follow(file))
      const stream = followStream({ from, open: opening, name, matching, clock, signal, problem, warn })
      open++
      const done = stream.done.catch(fail).finally(() => {
        open--
        onEnd()
      })
      followed.set(path, { ...stream, done, source })
      return true
    },
    async flushAfter(quiet) {
      for (const stream of followed.values()) await stream.flushAfter(quiet)
    },
    async done() {
      await Promise.all([...followed.values()].map(({ done }) => done))
    },
    get isOver() {
      return open === 0
    },
    get all() {
      return [...followed.values()]
    },
  }
}
