import type { Readable } from 'node:stream'
import { Failure } from '../failure.js'
import { Missing } from '../sources/origin.js'
import { createStreamReader } from '../sources/stream-reader.js'
import { ApiError, ConnectionClosed } from './api/api.js'
import { type ApiDeps, withRetries } from './api/requests.js'

/** A response body that continues after a broken connection. */
export interface Body {
  /** Waits for bytes and reads as many as fit; 0 at the end. */
  read(into: Uint8Array): Promise<number>
  /** The number of bytes read so far. */
  taken(): number
  close(): void
}

/** A log that is not followed is sent without pauses. */
const IDLE_TIMEOUT_MS = 60_000

/** Reconnections for one body. */
const MAX_RESUMPTIONS = 3

/** The number of bytes before the break that are compared, to see whether it is still the same log. */
const COMPARED = 256

class IdleTimeout extends Error {}

/**
 * Requests a log. When the connection breaks, requests it again and continues where it broke off, if the bytes before are still the
 * same.
 */
export async function openBody(deps: ApiDeps, path: string): Promise<Body> {
  const { api, signal } = deps
  const closing = new AbortController()
  const anySignal = AbortSignal.any([signal, closing.signal])
  const open = () => withRetries({ ...deps, signal: anySignal }, () => api.get(path, anySignal))
  let stream = await open().catch((error) => {
    throw error instanceof ConnectionClosed && !anySignal.aborted ? brokenOff(error, 0) : error
  })
  let reader = createStreamReader(stream)
  let taken = 0
  let before: Buffer = Buffer.alloc(0)
  let resumptions = 0

  async function resume(): Promise<void> {
    stream.destroy()
    stream = await open()
    reader = createStreamReader(stream)
    const scratch = new Uint8Array(64 * 1024)
    let tail: Buffer = Buffer.alloc(0)
    for (let skipped = 0; skipped < taken; ) {
      const count = await unlessIdle(
        reader.read(scratch.subarray(0, Math.min(scratch.length, taken - skipped))),
        stream,
      )
      if (count === 0) throw new Error('the log is shorter than before')
      tail = lastOf(tail, scratch.subarray(0, count))
      skipped += count
    }
    if (!tail.equals(before)) throw new Error('the log is another one than before')
  }

  async function readOnce(into: Uint8Array): Promise<number> {
    const count = await unlessIdle(reader.read(into), stream)
    before = lastOf(before, into.subarray(0, count))
    taken += count
    return count
  }

  return {
    taken: () => taken,
    async read(into) {
      for (let hasBroken = false; ; hasBroken = true) {
        try {
          if (hasBroken) await resume()
          return await readOnce(into)
        } catch (error) {
          if (anySignal.aborted) return 0
          // Also if it breaks earlier than the previous connection: how much arrives is random.
          if (!(error instanceof Failure) || resumptions++ === MAX_RESUMPTIONS) throw explain(error, taken)
        }
      }
    },
    close() {
      closing.abort()
      stream.destroy()
    },
  }
}

function lastOf(before: Buffer, bytes: Uint8Array): Buffer {
  if (bytes.length >= COMPARED) return Buffer.from(bytes.subarray(bytes.length - COMPARED))
  const joined = Buffer.concat([before, bytes])
  return joined.subarray(Math.max(0, joined.length - COMPARED))
}

async function unlessIdle<T>(work: Promise<T>, stream: Readable): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new IdleTimeout(`no data for ${IDLE_TIMEOUT_MS / 1000} s`))
      stream.destroy()
    }, IDLE_TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function explain(error: unknown, taken: number): Error {
  const isGone = error instanceof ApiError && error.status === 404
  if (isGone) return new Missing('the pod was deleted while its log was read; the part before was matched')
  return brokenOff(error, taken)
}

function brokenOff(error: unknown, taken: number): Error {
  const why = error instanceof IdleTimeout ? `: ${error.message}` : ''
  return new Failure('Data', `the log broke off after ${taken} bytes${why}`, { cause: error })
}
