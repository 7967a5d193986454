import { fstatSync, statSync, writeSync } from 'node:fs'
import { Failure } from '../failure.js'

/** Standard output or standard error; every write is complete when it returns. */
export interface Output {
  readonly isTTY: boolean
  /** The current size of the terminal; undefined if this is not a terminal. */
  readonly columns: number | undefined
  readonly rows: number | undefined
  /** The reader has gone, and further writes are dropped. */
  readonly closed: boolean
  write(data: string | Uint8Array): void
}

/** Strings are encoded in pieces, so that a large report is not in memory twice. */
const PIECE = 1 << 20

/** How long to wait when a pipe that another program made non-blocking is full. */
const RETRY_MILLISECONDS = 5

/** The reader has gone: the pipe, socket or terminal window is closed. */
const CLOSED = new Set(['EPIPE', 'ECONNRESET', 'EIO', 'ENXIO'])

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the device; free some space, or write to another device',
  EDQUOT: 'the disk quota is exceeded; free some space, or write to another device',
  EFBIG: 'the file is too large',
}

/**
 * Opens standard output (1) or standard error (2) for writing. The streams of Node.js lose data: in a pipe, what is not yet
 * written at `process.exit`; in a file, the rest of a write that a full disk cut short. They also take milliseconds to load. Here
 * every write is complete when it returns. When the reader has gone, `onClosed` is called once and further writes are dropped. A
 * full disk is a `Failure`, thrown or passed to `onFailed` once, but only for standard output: an error of standard error cannot
 * be reported anywhere.
 *
 * @example
 * const stdout = openOutput(1, () => process.exit(0))
 * stdout.write('Wrote report to omen-report.json\n')
 */
export function openOutput(
  descriptor: 1 | 2,
  onClosed: () => void = () => {},
  onFailed: (failure: Failure) => void = throwFailure,
): Output {
  const terminal = isTerminal(descriptor) ? openTerminal(descriptor) : undefined
  let isClosed = false
  return {
    isTTY: terminal !== undefined,
    get columns() {
      return terminal?.size().columns
    },
    get rows() {
      return terminal?.size().rows
    },
    get closed() {
      return isClosed
    },
    write(data) {
      if (isClosed) return
      try {
        for (const bytes of inPieces(data)) writeInFull(descriptor, bytes)
      } catch (error) {
        isClosed = true
        const code = (error as NodeJS.ErrnoException).code ?? ''
        if (CLOSED.has(code)) onClosed()
        else if (descriptor === 1) onFailed(describeFailure(error as NodeJS.ErrnoException))
      }
    },
  }
}

/**
 * Whether a descriptor is a terminal. `isatty` of Node.js loads its streams, which a scan with pipes and files does not need, so
 * it is called only for a character device other than /dev/null.
 *
 * @example
 * if (isTerminal(0)) showHelp()   // nothing is piped in
 */
export function isTerminal(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor)
    if (!status.isCharacterDevice() || status.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev)
      return false
    return process.getBuiltinModule('node:tty').isatty(descriptor)
  } catch {
    return false
  }
}

function openTerminal(descriptor: 1 | 2) {
  const stream: NodeJS.WriteStream & { _refreshSize?: () => void } = descriptor === 1 ? process.stdout : process.stderr
  // The window may be closed while its size is read.
  stream.on('error', () => {})
  return {
    size() {
      // Node.js updates the size only between turns of the event loop, and reading a file is one long turn.
      stream._refreshSize?.()
      return { columns: stream.columns, rows: stream.rows }
    },
  }
}

function* inPieces(data: string | Uint8Array): Generator<Uint8Array> {
  if (typeof data !== 'string') {
    yield data
    return
  }
  for (let start = 0; start < data.length; ) {
    let end = Math.min(start + PIECE, data.length)
    const splitsPair = end < data.length && isHighSurrogate(data.charCodeAt(end - 1))
    if (splitsPair) end--
    yield Buffer.from(data.slice(start, end))
    start = end
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function writeInFull(descriptor: number, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MILLISECONDS)
    }
  }
}

function throwFailure(failure: Failure): never {
  throw failure
}

function describeFailure(error: NodeJS.ErrnoException): Failure {
  const reason = REASONS[error.code ?? ''] ?? error.message
  return new Failure('Output', `cannot write to standard output: ${reason}`, { cause: error })
}
