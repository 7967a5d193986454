import { fstatSync, statSync, writeSync } from 'node:fs'
import { Failure } from '../failure.js'

/** Standard output or standard error, written to at once and in full. */
export interface Output {
  readonly isTTY: boolean
  /** The size of the terminal, asked for anew each time; undefined elsewhere. */
  readonly columns: number | undefined
  readonly rows: number | undefined
  /** Nobody reads any more: what is written is dropped. */
  readonly closed: boolean
  write(data: string | Uint8Array): void
}

const NAMES = { 1: 'standard output', 2: 'standard error' } as const

/** Text is encoded in pieces, so that a large report is not held in memory twice. */
const PIECE = 1 << 20

/** How long to wait for a pipe that another program made non-blocking and that is full. */
const RETRY_MILLISECONDS = 5

/** The reader is gone: the pipe or socket is closed, or the terminal window is. */
const CLOSED = new Set(['EPIPE', 'ECONNRESET', 'EIO', 'ENXIO'])

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the device; free some, or write elsewhere',
  EDQUOT: 'the disk quota is used up; free some space, or write elsewhere',
  EFBIG: 'the file may not grow any larger',
}

/**
 * Opens standard output (1) or standard error (2) for writing. Node's own streams lose text: into a pipe, what is not yet
 * written at `process.exit`; into a file, the rest of a write that a full disk cut short. They also take milliseconds to
 * load. Here every write is complete when it returns. A reader that is gone is told once to `onClosed`, and what follows is dropped; a
 * full disk is a `Failure`, thrown or told to `onFailed` once, for standard output alone: an error of standard error cannot
 * be told to anybody.
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
 * Whether a descriptor is a terminal. Asking Node.js loads its streams, which a scan between pipes and files does not need:
 * only a character device other than /dev/null can be a terminal.
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
  // A window that is closed while its size is asked for.
  stream.on('error', () => {})
  return {
    size() {
      // Node.js updates the size between two turns of the event loop, and reading a file is one long turn.
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
  return new Failure('Output', `cannot write to ${NAMES[1]}: ${reason}`, { cause: error })
}
