import { type DestinationStream, pino } from 'pino'

/** How many characters may wait for a reader that is slow or stuck. Further lines are dropped: the service goes on. */
const MAX_WAITING = 4 * 1024 * 1024

/** Lines are written together: once there are this many characters, or after this many milliseconds. */
const WRITE_LENGTH = 4096
const WRITE_MS = 50

/** A log that can be written to its end synchronously, before the process exits. */
export interface LogFile extends DestinationStream {
  flushSync(): void
}

/**
 * Opens a log, given by its file descriptor. Writing is asynchronous, so neither a slow disk nor a stuck reader delays a request;
 * the lines that are left when the process exits are written then. A log that cannot be written does not stop the service.
 *
 * @example
 * createLogger({ level: 'info', destination: openLogFile(2) })
 */
export function openLogFile(fd: number, maxWaiting: number = MAX_WAITING): LogFile {
  let isExiting = false
  const file = pino.destination({
    dest: fd,
    sync: false,
    minLength: WRITE_LENGTH,
    periodicFlush: WRITE_MS,
    maxLength: maxWaiting,
    // A pipe whose reader is stuck is tried again later, but does not keep the process from exiting.
    retryEAGAIN: () => !isExiting,
  })
  // Without a listener an error would end the process.
  file.on('error', () => {})
  const flush = file.flushSync.bind(file)
  file.flushSync = () => {
    isExiting = true
    try {
      flush()
    } catch {
      // There is nobody left to report it to.
    } finally {
      isExiting = false
    }
  }
  return file
}
