import { closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '../failure.js'
import type { Target } from './find-target.js'
import { codeOf, hasReaderGone } from './write-failure.js'
import { gather, writeToStream } from './write-stream.js'

type Chunks = Iterable<string | Uint8Array>

/** How often to check whether a reader has opened the named pipe. */
const READER_POLL = 20

/** Writes to a target that cannot be replaced by a new file: standard output by name, a device, a named pipe. */
export async function writeDirectly(
  target: Exclude<Target, { kind: 'file' }>,
  chunks: Chunks,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (target.kind === 'descriptor') return writeToDescriptor(target.number, chunks)
  if (target.kind === 'fifo') return writeToFifo(target.path, chunks, signal)
  const file = openSync(target.path, constants.O_WRONLY)
  try {
    for (const batch of gather(chunks)) writeFileSync(file, batch)
  } finally {
    closeSync(file)
  }
}

/** The streams of Node.js wait for a slow reader; other descriptors that the shell opened are written directly. */
async function writeToDescriptor(number: number, chunks: Chunks): Promise<void> {
  if (number === 1 || number === 2) {
    const isOutput = number === 1
    await writeToStream(
      isOutput ? process.stdout : process.stderr,
      chunks,
      isOutput ? 'standard output' : 'standard error',
    )
    return
  }
  try {
    for (const batch of gather(chunks)) writeAll(number, batch)
  } catch (error) {
    if (!hasReaderGone(error)) throw error
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}

/**
 * Opens a named pipe without blocking and writes to it as a socket: a blocking open or write would stop the whole process, which
 * could not react to Ctrl-C until the pipe is read.
 */
async function writeToFifo(path: string, chunks: Chunks, signal: AbortSignal | undefined): Promise<void> {
  const file = await openForReader(path, signal)
  const { Socket } = await import('node:net')
  const socket = new Socket({ fd: file, readable: false, writable: true })
  const stop = () => socket.destroy()
  signal?.addEventListener('abort', stop)
  try {
    await writeToStream(socket, chunks, path)
    if (signal?.aborted) throw interrupted(path)
    await finish(socket)
  } finally {
    signal?.removeEventListener('abort', stop)
    socket.destroy()
  }
}

async function openForReader(path: string, signal: AbortSignal | undefined): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      // ENXIO: no process has opened it for reading yet.
      if (codeOf(error) !== 'ENXIO') throw error
    }
    if (signal?.aborted) throw interrupted(path)
    await wait(READER_POLL)
  }
}

function finish(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
    socket.end(() => socket.destroy())
  })
}

function interrupted(path: string): Failure {
  return new Failure('Output', `${path}: interrupted before it was read`)
}
