import { write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'
import { createLineBuffer } from './line-buffer.js'

/** What may wait for a reader that is slow or stuck. Beyond it lines are dropped: the service goes on. */
const WAITING_LENGTH = 4 * 1024 * 1024

/**
 * How long lines gather before they are written. Waking another thread costs more than writing a line does, so under load a
 * write for each would take a seventh of the service's time.
 */
const GATHER_MS = 50

/** How long a pipe that takes nothing at the moment is left alone. */
const BUSY_MS = 50

/** A log that can be written to its end at once, for the last words of a process. */
export interface LogFile extends DestinationStream {
  flushSync(): void
}

/**
 * A log, given by its file descriptor, that nobody waits for: lines that come within a moment are written together, by another
 * thread, so neither a slow disk nor a reader that is stuck holds up a request. What is left when the process ends is
 * written then. A log that cannot be written is no reason to stop: what fails is dropped.
 *
 * @example
 * createLogger({ level: 'info', destination: openLogFile(2) })
 */
export function openLogFile(fd: number, waitingLength: number = WAITING_LENGTH): LogFile {
  const waiting = createLineBuffer(waitingLength)
  let underWay = false

  const gather = () => {
    underWay = true
    setTimeout(begin, GATHER_MS).unref()
  }
  const begin = () => writeOn(waiting.take())
  const writeOn = (bytes: Buffer) => {
    write(fd, bytes, (error, written) => {
      if (error !== null && error.code === 'EAGAIN') setTimeout(writeOn, BUSY_MS, bytes)
      else if (error === null && written < bytes.length) writeOn(bytes.subarray(written))
      else if (waiting.isEmpty()) underWay = false
      else gather()
    })
  }
  const file: LogFile = {
    write(line) {
      waiting.add(line)
      if (!underWay) gather()
    },
    flushSync: () => writeAll(fd, waiting.take()),
  }
  process.once('exit', file.flushSync)
  return file
}

/** As far as it goes: at the end there is nobody left to tell. */
function writeAll(fd: number, bytes: Buffer): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
  } catch {}
}
