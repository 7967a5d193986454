import { inspect, needsMore, refusal } from '../sources/contents.js'
import { type Input, openInput } from '../sources/input.js'
import type { Data } from '../sources/open-data.js'
import { Missing } from '../sources/origin.js'
import type { Clock } from './clock.js'
import type { Matching } from './matching.js'
import { explain, isReadError } from './trail.js'

/** Data that comes and does not stay: standard input, a named pipe. */
export interface StreamFollowing {
  /** Resolves when the data has ended, or was told to. */
  readonly done: Promise<void>
  /** Matches whole lines when nothing has come for this long. */
  flushAfter(quiet: number): Promise<void>
  readonly matching: Matching
}

export interface StreamOptions {
  /** A path, or a descriptor. */
  readonly from: string | number
  /** Opens it, where it is not on this machine. */
  readonly open?: (() => Promise<Data>) | undefined
  readonly name: string
  readonly matching: Matching
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly problem: (message: string) => void
  readonly warn: (message: string) => void
}

const ROOM = 1 << 16

const PACKED = 'cannot be followed as it is: unpack it on the way, as in zcat FILE | omen'

/** Reads a stream as it comes, to its end. */
export function followStream(options: StreamOptions): StreamFollowing {
  const { matching, clock } = options
  let cameAt = clock.elapsed()
  const came = async (bytes: Uint8Array) => {
    cameAt = clock.elapsed()
    await matching.push(bytes)
  }
  return {
    matching,
    done: options.open ? readOpened(options.open, options, came) : readStream(options, came),
    async flushAfter(quiet) {
      if (matching.isPending && clock.elapsed() - cameAt >= quiet) await matching.flush()
    },
  }
}

/** Reads what an origin gives, which is text. */
async function readOpened(
  open: () => Promise<Data>,
  { name, matching, signal, problem, warn }: StreamOptions,
  came: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  let data: Data | undefined
  const stop = () => void data?.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    data = await open()
    if (signal.aborted) return
    const room = new Uint8Array(ROOM)
    for (let count = await data.read(room); count > 0 && !signal.aborted; count = await data.read(room)) {
      await came(room.subarray(0, count))
    }
  } catch (error) {
    if (error instanceof Missing) warn(`${name}: ${error.message}`)
    else if (!isReadError(error)) throw error
    else problem(`${name}: ${explain(error)}`)
  } finally {
    signal.removeEventListener('abort', stop)
    await data?.close()
  }
  await matching.end()
}

async function readStream(options: StreamOptions, came: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  const { from, name, matching, signal, problem } = options
  let input: Input | undefined
  const stop = () => input?.close()
  try {
    input = openInput(from)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) return
    const room = new Uint8Array(ROOM)
    const head = room.subarray(0, await readHead(input, room))
    const contents = inspect(head)
    if (contents.is === 'refused') problem(`${name}: ${refusal(contents.kind, undefined).message}`)
    else if (contents.is === 'compressed') problem(`${name}: ${contents.compression} ${PACKED}`)
    else if (contents.encoding) problem(`${name}: ${contents.encoding} ${PACKED.replace('zcat', 'iconv')}`)
    else {
      for (let count = head.length; count > 0 && !signal.aborted; count = await input.read(room)) {
        await came(room.subarray(0, count))
      }
    }
  } catch (error) {
    if (!isReadError(error)) throw error
    problem(`${name}: ${explain(error)}`)
  } finally {
    signal.removeEventListener('abort', stop)
    input?.close()
  }
  await matching.end()
}

/** The first bytes: as many as it takes to tell what they are. */
async function readHead(input: Input, room: Uint8Array): Promise<number> {
  let length = 0
  do {
    const count = await input.read(room.subarray(length))
    if (count === 0) break
    length += count
  } while (length < room.length && needsMore(room.subarray(0, length)))
  return length
}
