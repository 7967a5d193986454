import { closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '../failure.js'
import type { Target } from './find-target.js'
import { codeOf, hasReaderLeft } from './write-failure.js'
import { gather, writeToStream } from './write-stream.js'

type Chunks = Iterable<string | Uint8Array>

/** How often to look whether somebody has opened the other end of a named pipe. */
const READER_POLL = 20

/** Writes to what cannot be replaced by another file: standard output by its name, a device, a named pipe. */
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

/** Our own streams know how to wait for a slow reader; other files that the shell opened for us are written as they are. */
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
    if (!hasReaderLeft(error)) throw error
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}

/**
 * A named pipe is opened without waiting and written as a socket: a plain open or write would hold the whole process,
 * deaf to Ctrl-C, until somebody reads.
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
      // ENXIO: nobody has it open for reading yet.
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
  return new Failure('Output', `${path}: interrupted before somebody had read it`)
}
