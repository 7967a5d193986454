import type { Readable } from 'node:stream'
import { Failure } from '../failure.js'
import { Missing } from '../sources/origin.js'
import { createStreamReader } from '../sources/stream-reader.js'
import { HungUp, Refused } from './api/api.js'
import { type Asking, insistently } from './api/ask.js'

/** An answer that is read piece by piece. */
export interface Body {
  /** Waits for bytes and takes as many as have room; 0 at the end. */
  read(into: Uint8Array): Promise<number>
  /** How many bytes were read so far. */
  taken(): number
  close(): void
}

/** A log that is not followed comes at once: what is silent for so long has got stuck. */
const LONGEST_SILENCE_MS = 60_000

/** A connection that breaks is made anew so many times. */
const MOST_RESUMPTIONS = 3

/** So many bytes before the break are compared, to see whether it is still the same log. */
const COMPARED = 256

/** Thrown where nothing comes any more. */
class Silent extends Error {}

/**
 * Opens an answer. When the connection breaks, it is asked for again, and goes on where it broke off: if what went before is
 * still the same, that is.
 */
export async function openBody(asking: Asking, path: string): Promise<Body> {
  const { api, signal } = asking
  const closing = new AbortController()
  const either = AbortSignal.any([signal, closing.signal])
  const open = () => insistently({ ...asking, signal: either }, () => api.get(path, either))
  let stream = await open().catch((error) => {
    throw error instanceof HungUp && !either.aborted ? brokenOff(error, 0) : error
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
    for (let at = 0; at < taken; ) {
      const count = await unlessSilent(reader.read(scratch.subarray(0, Math.min(scratch.length, taken - at))), stream)
      if (count === 0) throw new Error('the log is shorter than before')
      tail = lastOf(tail, scratch.subarray(0, count))
      at += count
    }
    if (!tail.equals(before)) throw new Error('the log is another one than before')
  }

  async function readOnce(into: Uint8Array): Promise<number> {
    const count = await unlessSilent(reader.read(into), stream)
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
          if (either.aborted) return 0
          // Also one that breaks before it has come as far as the one before: how much arrives of what was sent is chance.
          if (!(error instanceof Failure) || resumptions++ === MOST_RESUMPTIONS) throw explain(error, taken)
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

async function unlessSilent<T>(work: Promise<T>, stream: Readable): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Silent(`nothing has come for ${LONGEST_SILENCE_MS / 1000} s`))
      stream.destroy()
    }, LONGEST_SILENCE_MS)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}

function explain(error: unknown, taken: number): Error {
  const isGone = error instanceof Refused && error.status === 404
  if (isGone) return new Missing('the pod was deleted while its log was read; what came until then was matched')
  return brokenOff(error, taken)
}

function brokenOff(error: unknown, taken: number): Error {
  const why = error instanceof Silent ? `: ${error.message}` : ''
  return new Failure('Data', `the log broke off after ${taken} bytes${why}`, { cause: error })
}
