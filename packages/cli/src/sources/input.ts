import { closeSync, constants, fstatSync, openSync, read, readSync, type Stats } from 'node:fs'
import type { Socket } from 'node:net'
import { Failure } from '../failure.js'
import { describeReadError } from './read-error.js'
import { createStreamReader, type StreamReader } from './stream-reader.js'

/** Bytes of a file on disk, or from a pipe. */
export interface Input {
  /** Undefined for a pipe. */
  readonly size: number | undefined
  /** The descriptor, if any part of the data can be read at any time: a regular file, opened here. */
  readonly file: number | undefined
  /** How many bytes were read so far. */
  taken(): number
  /** Reads as many bytes as are available and fit; 0 at the end. A regular file returns a number, not a promise. */
  read(into: Uint8Array): number | Promise<number>
  /** Waits for the first byte or the end, and returns whether there is a byte. Nothing is consumed. */
  hasData(): Promise<boolean>
  /** A pending read then returns 0, and so do all later ones. A descriptor that was given stays open. */
  close(): void
  isClosed(): boolean
}

/** A way of reading. */
interface Reading {
  read(into: Uint8Array): number | Promise<number>
  hasData(): Promise<boolean>
  close(): void
}

/**
 * Opens a file, a pipe, a terminal or a device: by its path, or by a descriptor that is open already. Throws a `Failure`, which
 * does not name the file, if it cannot be opened.
 *
 * @example
 * const input = openInput('/var/log/syslog')
 */
export function openInput(source: string | number): Input {
  const given = typeof source === 'number' ? source : inheritedDescriptor(source)
  const isOwn = given === undefined
  const file = given ?? attempt(() => openSync(String(source), FLAGS))
  try {
    const stats = attempt(() => fstatSync(file))
    if (stats.isDirectory()) throw new Failure('Data', 'is a folder')
    const reader = READERS[kindOf(stats)](file, isOwn)
    let taken = 0
    let isClosed = false
    const count = (bytes: number) => {
      taken += bytes
      return bytes
    }
    return {
      size: stats.isFile() ? stats.size : undefined,
      file: stats.isFile() && isOwn ? file : undefined,
      taken: () => taken,
      read(into) {
        const bytes = isClosed ? 0 : reader.read(into)
        return typeof bytes === 'number' ? count(bytes) : bytes.then(count)
      },
      hasData: reader.hasData,
      close() {
        if (!isClosed) reader.close()
        isClosed = true
      },
      isClosed: () => isClosed,
    }
  } catch (error) {
    if (isOwn) closeSync(file)
    throw error
  }
}

/** A named pipe without a writer must not block the process, and a terminal must not become its controlling terminal. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/**
 * `/dev/stdin`, and `/dev/fd/63` for `<(…)`, are open already. Opening them again fails for sockets, and for pipes of another
 * user, as with sudo. A regular file is opened again: reading it must not move the offset of other readers.
 */
function inheritedDescriptor(path: string): number | undefined {
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/.exec(path === '/dev/stdin' ? '/dev/fd/0' : path) ?? []
  if (number === undefined) return undefined
  try {
    return fstatSync(Number(number)).isFile() ? undefined : Number(number)
  } catch {
    return undefined
  }
}

function kindOf(stats: Stats): keyof typeof READERS {
  if (stats.isFile()) return 'file'
  return stats.isFIFO() || stats.isSocket() ? 'pipe' : 'device'
}

const READERS = { file: readFile, pipe: readPipe, device: readDevice } as const

/** Reads synchronously: a disk is fast, and nothing else has to happen meanwhile. */
function readFile(file: number, isOwn: boolean): Reading {
  return {
    read: (into) => attempt(() => readSync(file, into, 0, into.length, null)),
    hasData: async () => attempt(() => fstatSync(file)).size > 0,
    close() {
      if (isOwn) closeSync(file)
    },
  }
}

/**
 * Pipes are read with the event loop. With `read` on a thread, the process could not end: it would wait for the thread, and the
 * thread for the pipe.
 */
function readPipe(file: number, isOwn: boolean): Reading {
  const { Socket } = process.getBuiltinModule('node:net')
  return readStream(file, isOwn, () => new Socket({ fd: file, readable: true, writable: false }))
}

/** Streams of descriptors that stay open: the next reader needs what they have read ahead. */
const inherited = new Map<number, { readonly stream: Socket; readonly reader: StreamReader }>()

function readStream(file: number, isOwn: boolean, open: () => Socket): Reading {
  let opened = isOwn ? undefined : inherited.get(file)
  if (!opened) {
    const stream = open()
    opened = { stream, reader: createStreamReader(stream) }
    if (!isOwn) inherited.set(file, opened)
  }
  const { stream, reader } = opened
  stream.ref()
  return {
    read: reader.read,
    hasData: reader.hasData,
    close() {
      reader.interrupt()
      // A stream that stays open must not keep the process alive.
      if (isOwn) stream.destroy()
      else stream.unref()
    },
  }
}

function readDevice(file: number, isOwn: boolean): Reading {
  const { isatty, ReadStream } = process.getBuiltinModule('node:tty')
  if (isatty(file)) return readStream(file, isOwn, () => new ReadStream(file))
  let isClosed = false
  return {
    async read(into) {
      while (!isClosed) {
        try {
          return await readLater(file, into)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw asFailure(error)
          await new Promise((resolve) => setTimeout(resolve, EMPTY_DEVICE_MS))
        }
      }
      return 0
    },
    // Unknown without reading.
    hasData: async () => true,
    close() {
      isClosed = true
      if (isOwn) closeSync(file)
    },
  }
}

/** How long to wait when a device has no data yet. */
const EMPTY_DEVICE_MS = 5

function readLater(file: number, into: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    read(file, into, 0, into.length, null, (error, bytes) => (error ? reject(error) : resolve(bytes)))
  })
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asFailure(error)
  }
}

function asFailure(error: unknown): Failure {
  return new Failure('Data', describeReadError(error), { cause: error })
}
