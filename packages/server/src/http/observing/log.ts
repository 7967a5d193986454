import { type DestinationStream, type Logger, pino } from 'pino'
import type { Settings } from '../../settings/settings.js'

const HIDDEN = '[hidden]'

/** Keys whose values are secrets, in lower case and without what joins words. */
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

/** What stands deeper in a record is not written at all. */
const DEPTH = 5

/** What secrets look like in running text: a message, a stack, an address that somebody mistyped. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w\-.~+/]+=*/gi, `$1 ${HIDDEN}`],
  [/\beyJ[\w-]*\.[\w-]*\.[\w-]*/g, HIDDEN],
  [/(?<![0-9a-z])[0-9a-hjkmnp-tv-z]{6}(?:-|%2d)[0-9a-hjkmnp-tv-z]{6}(?![0-9a-z])/gi, HIDDEN],
  [/\bomen_[\w-]{20,}/g, HIDDEN],
  [/(\/v1\/auth\/test\/)[\w-]+/g, `$1${HIDDEN}`],
  [/(:\/\/[^\s/@:]*):[^\s/@]*@/g, `$1:${HIDDEN}@`],
  [/\b(code|token|client_secret|password)(=|"\s*:\s*"?)[^\s&",}]+/gi, `$1$2${HIDDEN}`],
]

/**
 * Hides what looks like a secret in a text.
 *
 * @example
 * scrub('GET /v1/auth/validate/K7QF2M-9XTR4B') // GET /v1/auth/validate/[hidden]
 */
export function scrub(text: string): string {
  return SECRET_TEXTS.reduce((scrubbed, [pattern, replacement]) => scrubbed.replace(pattern, replacement), text)
}

export interface LoggerOptions {
  readonly level: Settings['logLevel']
  /** Standard output without it. */
  readonly destination?: DestinationStream
}

/**
 * The log of the service: one JSON object per line, times in UTC, secrets hidden by their key and by their looks.
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
      formatters: { level: (label) => ({ level: label }), log: (record) => hideSecrets(record, DEPTH) },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    destination ?? openLogFile(1),
  )
}

/** By hand rather than by pino's paths, which know no depth and take longer than all the rest of a line. */
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

/** A text under `code` is a secret only where it looks like one: every error has a code too. */
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

/** Only what helps to find the fault: errors of databases and HTTP clients carry values and headers. */
function describeError(error: unknown, depth = 0): DescribedError {
  // Anything can be thrown, even what cannot be made a text.
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
