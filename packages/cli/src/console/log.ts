import { sanitize } from './text/sanitize.js'

/** The words of the levels in a log line, the least first. */
const WORDS = { error: 'ERR', warn: 'WRN', info: 'INF', debug: 'DBG', trace: 'TRC' } as const

export type Level = keyof typeof WORDS

/** What is known of an event; what is undefined is left out. */
export type Fields = Readonly<Record<string, string | number | bigint | boolean | undefined>>

type LogFunction = (place: string, message: string, fields?: Fields | (() => Fields)) => void

/** Writes events of one level each. `place` is what `here()` gives; fields that cost something are given as a function. */
export type Log = Readonly<Record<Level, LogFunction>>

export interface LogOptions {
  /** How much is logged: undefined logs errors alone. */
  readonly level: Level | undefined
  /** Takes a line, with its end. */
  readonly write: (line: string) => void
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Minutes east of UTC at a time in nanoseconds. */
  readonly offset: (nanoseconds: bigint) => number
}

const LEVELS = Object.keys(WORDS) as Level[]

/** What logfmt lets stand without quotes. */
const BARE_VALUE = /^[^\s"=\\\p{Cc}]+$/u

/**
 * Makes the log. What is not asked for costs a call of an empty function.
 *
 * @example
 * const log = createLog({ level: 'debug', write: (line) => stderr.write(line), clock: Date.now, offset: localOffset })
 * log.debug(here(), 'rules compiled', { rules: 12 })
 * // 2026-03-01T12:00:01.250Z DBG load-rules.ts:23 > rules compiled rules=12
 */
export function createLog({ level = 'error', write, clock, offset }: LogOptions): Log {
  const last = LEVELS.indexOf(level)
  const skip: LogFunction = () => {}
  const functions = LEVELS.map((name, index): [Level, LogFunction] => {
    if (index > last) return [name, skip]
    const log: LogFunction = (place, message, fields = {}) => {
      const known = typeof fields === 'function' ? fields() : fields
      write(`${formatTime(clock(), offset)} ${WORDS[name]} ${place} > ${sanitize(message)}${formatFields(known)}\n`)
    }
    return [name, log]
  })
  return Object.fromEntries(functions) as Record<Level, LogFunction>
}

/**
 * Where in the source it is called: `load-rules.ts:23`. The bundler puts the text itself in its place (scripts/positions.mjs);
 * this function is what runs in tests.
 *
 * @example
 * log.info(here(), 'rules compiled')
 */
export function here(): string {
  const caller = new Error().stack?.split('\n')[2] ?? ''
  const [, file, line] = /([^/\\]+?)(?:\?[^:]*)?:(\d+):\d+\)?$/.exec(caller) ?? []
  return file === undefined ? 'unknown:0' : `${file}:${line}`
}

/** Not the engine's `formatTimestamp`: the log is there before the engine is loaded. */
function formatTime(milliseconds: number, offset: LogOptions['offset']): string {
  const minutes = offset(BigInt(Math.floor(milliseconds)) * 1_000_000n)
  const local = new Date(milliseconds + minutes * 60_000).toISOString().slice(0, -1)
  if (minutes === 0) return `${local}Z`
  const distance = Math.abs(minutes)
  const [hours, rest] = [Math.floor(distance / 60), distance % 60].map((value) => String(value).padStart(2, '0'))
  return `${local}${minutes < 0 ? '-' : '+'}${hours}:${rest}`
}

function formatFields(fields: Fields): string {
  let text = ''
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) text += ` ${key}=${formatValue(value)}`
  return text
}

function formatValue(value: string | number | bigint | boolean): string {
  const text = String(value)
  return sanitize(BARE_VALUE.test(text) ? text : JSON.stringify(text))
}
