import { formatLocalTime } from './clock.js'
import { sanitize } from './text/sanitize.js'

/** The abbreviation of each level in a log line, from the least to the most detailed. */
const ABBREVIATIONS = { error: 'ERR', warn: 'WRN', info: 'INF', debug: 'DBG', trace: 'TRC' } as const

export type Level = keyof typeof ABBREVIATIONS

/** The fields of an event; undefined ones are left out. */
export type Fields = Readonly<Record<string, string | number | bigint | boolean | undefined>>

type LogFunction = (place: string, message: string, fields?: Fields | (() => Fields)) => void

/** A function per level. `place` comes from `here()`; fields that are expensive to compute are passed as a function. */
export type Log = Readonly<Record<Level, LogFunction>>

export interface LogOptions {
  /** The most detailed level that is logged; undefined logs only errors. */
  readonly level: Level | undefined
  /** Writes a line, which includes its line feed. */
  readonly write: (line: string) => void
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** The offset from UTC in minutes at a time in nanoseconds. */
  readonly offset: (nanoseconds: bigint) => number
}

const LEVELS = Object.keys(ABBREVIATIONS) as Level[]

/** A value that needs no quotes in logfmt. */
const BARE_VALUE = /^[^\s"=\\\p{Cc}]+$/u

/**
 * Creates the log. A call of a level that is not logged is a call of an empty function.
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
      write(
        `${formatLocalTime(clock(), { offset, precision: 'milliseconds' })} ${ABBREVIATIONS[name]} ${place} > ${sanitize(message)}${formatFields(known)}\n`,
      )
    }
    return [name, log]
  })
  return Object.fromEntries(functions) as Record<Level, LogFunction>
}

/**
 * The place of the call in the source: `load-rules.ts:23`. The bundler replaces the call with this string (scripts/positions.mjs);
 * the function itself runs only in tests.
 *
 * @example
 * log.info(here(), 'rules compiled')
 */
export function here(): string {
  const caller = new Error().stack?.split('\n')[2] ?? ''
  const [, file, line] = /([^/\\]+?)(?:\?[^:]*)?:(\d+):\d+\)?$/.exec(caller) ?? []
  return file === undefined ? 'unknown:0' : `${file}:${line}`
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
