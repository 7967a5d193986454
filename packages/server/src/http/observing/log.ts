import { write, writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Settings } from '../../settings/settings.js'

const HIDDEN = '[hidden]'

/** Keys whose values are secrets, in lower case without dashes and underscores. */
const SECRET_KEYS = new Set([
  'authorization',
  'clientsecret',
  'cookie',
  'databaseurl',
  'password',
  'secret',
  'setcookie',
  'token',
])

/** Values nested deeper in a record are not logged. */
const MAX_DEPTH = 5

/** The form of secrets inside a string: a message, a stack, a mistyped address. */
const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w\-.~+/]+=*/gi, `$1 ${HIDDEN}`],
  [/\beyJ[\w-]*\.[\w-]*\.[\w-]*/g, HIDDEN],
  [/(?<![0-9a-z])[0-9a-hjkmnp-tv-z]{6}(?:-|%2d)[0-9a-hjkmnp-tv-z]{6}(?![0-9a-z])/gi, HIDDEN],
  [/\bomen_[\w-]{20,}/g, HIDDEN],
  [/(\/v1\/auth\/test\/)[\w-]+/g, `$1${HIDDEN}`],
  [/(:\/\/[^\s/@:]*):[^\s/@]*@/g, `$1:${HIDDEN}@`],
  [/\b(code|token|client_secret|password)(=|"\s*:\s*"?)[^\s&",}]+/gi, `$1$2${HIDDEN}`],
]

/**
 * Hides the parts of a string that look like secrets.
 *
 * @example
 * scrub('GET /v1/auth/validate/K7QF2M-9XTR4B') // GET /v1/auth/validate/[hidden]
 */
export function scrub(text: string): string {
  return SECRET_PATTERNS.reduce((scrubbed, [pattern, replacement]) => scrubbed.replace(pattern, replacement), text)
}

export interface LoggerOptions {
  readonly level: Settings['logLevel']
  /** Standard output without it. */
  readonly destination?: DestinationStream
}

/**
 * Creates the log of the service: one JSON object per line, times in UTC, secrets hidden by their key and by their form.
 *
 * @example
 * const logger = createLogger({ level: 'info' })
 */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (record) => hideSecrets(record, MAX_DEPTH) },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    destination ?? openLogFile(1),
  )
}

/** pino's own `redact` hides a key only at paths that are known in advance, not at every depth. */
function hideSecrets(record: Record<string, unknown>, depth: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const key in record) {
    const value = record[key]
    if (isSecret(key, value)) shown[key] = HIDDEN
    else if (!isPlain(value)) shown[key] = value
    else shown[key] = depth > 1 ? hideSecrets(value, depth - 1) : HIDDEN
  }
  return shown
}

/** The value of `code` is a secret only if it looks like one: errors have a code, too. */
function isSecret(key: string, value: unknown): boolean {
  if (key === 'code') return typeof value === 'string' && scrub(value) !== value
  return SECRET_KEYS.has(key.toLowerCase().replace(/[-_]/g, ''))
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

interface DescribedError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: DescribedError
}

/** Only the fields that help to find the cause: errors of databases and HTTP clients contain values and headers. */
function describeError(error: unknown, depth = 0): DescribedError {
  // Any value can be thrown, even one that cannot be converted to a string.
  if (!(error instanceof Error)) return { type: typeof error, message: typeof error === 'string' ? scrub(error) : '' }
  const { code } = error as { readonly code?: unknown }
  return {
    type: error.name,
    message: scrub(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: scrub(error.stack) }),
    ...(error.cause !== undefined && depth < 3 && { cause: describeError(error.cause, depth + 1) }),
  }
}

/** How many characters may wait for a reader that is slow or stuck. Further lines are dropped: the service goes on. */
const MAX_WAITING = 4 * 1024 * 1024

/** Lines that are logged within this time are written together. */
const WRITE_AFTER_MS = 50

/** A pipe that is full is tried again after this time. */
const RETRY_AFTER_MS = 50

/** A log whose waiting lines can be written synchronously, before the process exits. */
export interface LogFile extends DestinationStream {
  flushSync(): void
}

/**
 * Opens a log, given by its file descriptor. Writing is asynchronous, so neither a slow disk nor a stuck reader delays a request;
 * lines that wait when the process exits are written then. Lines that cannot be written are dropped. (pino's own destination
 * repeats a write that fails for ever before the process exits, so on a full disk the process would never exit.)
 *
 * @example
 * createLogger({ level: 'info', destination: openLogFile(2) })
 */
export function openLogFile(fd: number, maxWaiting: number = MAX_WAITING): LogFile {
  let waiting = ''
  let isWriting = false

  const takeWaiting = (): Buffer => {
    const bytes = Buffer.from(waiting)
    waiting = ''
    return bytes
  }
  const writeSoon = () => {
    isWriting = true
    setTimeout(() => writeBytes(takeWaiting()), WRITE_AFTER_MS).unref()
  }
  const writeBytes = (bytes: Buffer) => {
    write(fd, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(writeBytes, RETRY_AFTER_MS, bytes)
      else if (error === null && written < bytes.length) writeBytes(bytes.subarray(written))
      else if (waiting === '') isWriting = false
      else writeSoon()
    })
  }
  const file: LogFile = {
    write(line) {
      if (waiting.length + line.length > maxWaiting) return
      waiting += line
      if (!isWriting) writeSoon()
    },
    flushSync() {
      const bytes = takeWaiting()
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
      } catch {
        // There is nobody left to report it to.
      }
    },
  }
  process.once('exit', file.flushSync)
  return file
}
