import type { Readable } from 'node:stream'
import { Failure } from '../failure.js'
import { describeReadError } from './read-error.js'

/** Reads a stream as a file. */
export interface StreamReader {
  /** Waits for bytes and reads as many as fit; 0 at the end. */
  read(into: Uint8Array): Promise<number>
  /** Waits for the first byte or the end, and returns whether there is a byte. Nothing is consumed. */
  hasData(): Promise<boolean>
  /** Ends a wait, as at the end of the data. */
  interrupt(): void
}

/** Creates a reader, which reads no further ahead than the buffer of the stream. */
export function createStreamReader(stream: Readable): StreamReader {
  let rest: Uint8Array | undefined
  let error: Error | undefined
  let isOver = false
  let isInterrupted = false
  let wake = () => {}

  stream.on('readable', () => wake())
  stream.on('error', (reason) => {
    error = new Failure('Data', describeReadError(reason), { cause: reason })
    wake()
  })
  const over = () => {
    isOver = true
    wake()
  }
  stream.on('end', over)
  stream.on('close', over)

  async function hasData(): Promise<boolean> {
    isInterrupted = false
    for (;;) {
      rest ??= isOver ? undefined : ((stream.read() as Buffer | null) ?? undefined)
      if (rest) return true
      if (error) throw error
      if (isOver || isInterrupted) return false
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  return {
    hasData,
    async read(into) {
      if (!(await hasData()) || !rest) return 0
      const piece = rest.subarray(0, into.length)
      into.set(piece)
      rest = piece.length < rest.length ? rest.subarray(piece.length) : undefined
      return piece.length
    },
    interrupt() {
      isInterrupted = true
      wake()
    },
  }
}
