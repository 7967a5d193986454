import type { Transform } from 'node:stream'

/** A decoder of Node's own: it works on another thread. */
export interface ThreadDecoder {
  /** Unpacks a piece, which must stay as it is until then, and gives what came of it. */
  decode(piece: Uint8Array): Promise<readonly Uint8Array[]>
  /** The end of the data. */
  finish(): Promise<readonly Uint8Array[]>
  /** What went wrong, if anything did: after what was unpacked before it. */
  readonly error: NodeJS.ErrnoException | undefined
  /** The data has ended, though more bytes may follow: padding. */
  readonly isOver: boolean
  close(): void
}

/**
 * Drives one of zlib's streams step by step. The stream is never paused: what a piece unpacks to is taken at once, so nothing
 * is lost in a buffer when a later piece is broken. How much that can be is bounded by the size of the pieces.
 */
export function createThreadDecoder(stream: Transform): ThreadDecoder {
  let chunks: Uint8Array[] = []
  let error: NodeJS.ErrnoException | undefined
  let isOver = false
  let settle = () => {}

  stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  stream.on('error', (reason) => {
    error = reason
    settle()
  })
  stream.on('end', () => {
    isOver = true
    settle()
  })

  async function step(start: () => void): Promise<readonly Uint8Array[]> {
    await new Promise<void>((resolve) => {
      settle = resolve
      start()
    })
    // Should the stream still hold something, it comes with the next turn: to take it is to tell the listener of it.
    while (stream.read() !== null);
    const taken = chunks
    chunks = []
    return taken
  }

  return {
    decode: (piece) => step(() => stream.write(piece, () => settle())),
    finish: () => step(() => stream.end()),
    get error() {
      return error
    },
    get isOver() {
      return isOver
    },
    close: () => stream.destroy(),
  }
}

/** What came of one step. */
export interface Step {
  readonly chunks: readonly Uint8Array[]
  readonly isLast: boolean
}

/** Does the next step on another thread while what came of the last one is used. A step that fails is told of in its turn. */
export async function* stepAhead(step: () => Promise<Step>): AsyncGenerator<Uint8Array, void, void> {
  let next = step()
  for (;;) {
    const { chunks, isLast } = await next
    if (isLast) {
      yield* chunks
      return
    }
    next = step()
    next.catch(() => {})
    yield* chunks
  }
}
