import { inspect, needsMore, refusal } from '../sources/contents.js'
import { type Input, openInput } from '../sources/input.js'
import type { Data } from '../sources/open-data.js'
import { Missing, type Origin } from '../sources/origin.js'
import type { Source, SourceFile } from '../sources/source.js'
import type { Detectors } from './detectors.js'
import type { Found } from './follow-options.js'
import { explain, type FollowContext, isReadError } from './followed-file.js'
import { createMatching, type Matching } from './matching.js'

export interface StreamsOptions {
  readonly context: FollowContext
  readonly detectors: Detectors
  readonly found: Found
  /** The descriptor or the path that `-` stands for. */
  readonly standardInput: number | string
  /** Opens sources that are not on this machine. */
  readonly origin: Pick<Origin, 'follow'> | undefined
  /** Called when a stream has ended. */
  readonly onEnd: () => void
  /** Called when what was found cannot be reported. */
  readonly fail: (error: unknown) => void
}

/** Standard input, named pipes and streams of an origin, which are all read concurrently. */
export interface Streams {
  /** Returns whether it is new. */
  add(source: Source, file: SourceFile): boolean
  /** Matches whole lines of streams from which nothing has come for this many milliseconds, and what has waited long enough. */
  flushAfter(quiet: number): Promise<void>
  /** Resolves when all have ended. */
  done(): Promise<void>
  readonly isOver: boolean
  readonly all: readonly { readonly source: Source; readonly matching: Matching }[]
}

interface Stream {
  readonly source: Source
  readonly matching: Matching
  /** When bytes last came; `clock.elapsed()`. */
  lastReadAt: number
  readonly done: Promise<void>
}

export function createStreams(options: StreamsOptions): Streams {
  const { context, detectors, found, standardInput, origin, fail, onEnd } = options
  const { clock } = context
  const streams = new Map<string, Stream>()
  let open = 0

  return {
    add(source, file) {
      const { path, timestamp, zone } = file
      if (streams.has(path)) return false
      const name = path === '-' ? 'stdin' : path
      const matching = createMatching(detectors, {
        type: source.type,
        window: source.window,
        timestamp,
        zone,
        report: async (detections) => found(source, detections, { path }),
        warn: (message, subject) => context.warn(`${name}: ${message}`, subject),
        clock,
      })
      const push = async (bytes: Uint8Array) => {
        stream.lastReadAt = clock.elapsed()
        await matching.push(bytes)
      }
      open++
      const reading = origin
        ? readOrigin(() => origin.follow(file), name, push, context)
        : readInput(path === '-' ? standardInput : path, name, push, context)
      const ended = reading.then((isAtEnd) => (isAtEnd ? matching.end() : undefined))
      const done = ended
        .then(() => {}, fail)
        .finally(() => {
          open--
          onEnd()
        })
      const stream: Stream = { source, matching, lastReadAt: clock.elapsed(), done }
      streams.set(path, stream)
      return true
    },
    async flushAfter(quiet) {
      for (const { matching, lastReadAt } of streams.values()) {
        if (matching.isPending && clock.elapsed() - lastReadAt >= quiet) await matching.flush()
        if (matching.isDue) await matching.release('due')
      }
    },
    async done() {
      await Promise.all([...streams.values()].map(({ done }) => done))
    },
    get isOver() {
      return open === 0
    },
    get all() {
      return [...streams.values()]
    },
  }
}

const BUFFER_BYTES = 1 << 16

const NOT_FOLLOWED = 'cannot be followed: decode it first, as in'

type Push = (bytes: Uint8Array) => Promise<void>

/** Reads what an origin opens, which is text. Returns false if it was stopped before it began. */
async function readOrigin(
  open: () => Promise<Data>,
  name: string,
  push: Push,
  { signal, problem, warn }: FollowContext,
): Promise<boolean> {
  let data: Data | undefined
  const stop = () => void data?.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    data = await open()
    if (signal.aborted) return false
    const buffer = new Uint8Array(BUFFER_BYTES)
    for (let count = await data.read(buffer); count > 0 && !signal.aborted; count = await data.read(buffer)) {
      await push(buffer.subarray(0, count))
    }
  } catch (error) {
    if (error instanceof Missing) warn(`${name}: ${error.message}`)
    else if (!isReadError(error)) throw error
    else problem(`${name}: ${explain(error)}`)
  } finally {
    signal.removeEventListener('abort', stop)
    await data?.close()
  }
  return true
}

/** Reads a path or a descriptor as its data arrives. Returns false if it was stopped before it began. */
async function readInput(
  from: string | number,
  name: string,
  push: Push,
  { signal, problem }: FollowContext,
): Promise<boolean> {
  let input: Input | undefined
  const stop = () => input?.close()
  try {
    input = openInput(from)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) return false
    const buffer = new Uint8Array(BUFFER_BYTES)
    const head = buffer.subarray(0, await readHead(input, buffer))
    const contents = inspect(head)
    if (contents.is === 'refused') problem(`${name}: ${refusal(contents.kind, undefined).message}`)
    else if (contents.is === 'compressed') {
      problem(`${name}: ${contents.compression} data ${NOT_FOLLOWED} zcat FILE | omen`)
    } else if (contents.encoding) problem(`${name}: ${contents.encoding} text ${NOT_FOLLOWED} iconv FILE | omen`)
    else {
      for (let count = head.length; count > 0 && !signal.aborted; count = await input.read(buffer)) {
        await push(buffer.subarray(0, count))
      }
    }
  } catch (error) {
    if (!isReadError(error)) throw error
    problem(`${name}: ${explain(error)}`)
  } finally {
    signal.removeEventListener('abort', stop)
    input?.close()
  }
  return true
}

/** Reads as many bytes as show what kind of data it is. */
async function readHead(input: Input, buffer: Uint8Array): Promise<number> {
  let length = 0
  do {
    const count = await input.read(buffer.subarray(length))
    if (count === 0) break
    length += count
  } while (length < buffer.length && needsMore(buffer.subarray(0, length)))
  return length
}
