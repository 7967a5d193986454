import { parseRegex } from '../../terms/regex/parse.js'
import { createRegexExtract } from '../../terms/regex/search.js'
import { compileTimeFormat } from '../../time/named.js'
import { runTime } from '../../time/run.js'
import type { LineFormat } from './format.js'

/** A configured timestamp: the first group of `regex`, or all that it matches, is the time, written as `format` says. */
export interface CustomTimestamp {
  readonly regex: string
  readonly format: string
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Compiles a configured timestamp. A pattern or format that cannot be used throws an error that says why. */
export function compileCustom({ regex, format }: CustomTimestamp): LineFormat['find'] {
  const extract = compilePattern(regex)
  const program = compileTimeFormat(format)
  return (bytes, start, end, limit, found) => {
    const taken = extract(decoder.decode(bytes.subarray(start, end)))
    if (taken === undefined) return false
    const time = encoder.encode(taken.trim())
    return runTime(program, time, 0, time.length, limit, found) && found.end === time.length
  }
}

/**
 * Throws an error that says why when a configured timestamp cannot be used: a broken pattern, or a format that is no layout.
 *
 * @example
 * checkTimestamp({ regex: '^\\[(.+?)\\]', format: '2006-01-02 15:04:05,000' })
 */
export function checkTimestamp(timestamp: CustomTimestamp): void {
  compileCustom(timestamp)
}

function compilePattern(regex: string): (line: string) => string | undefined {
  try {
    parseRegex(regex)
    return createRegexExtract(regex)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the timestamp pattern ${JSON.stringify(regex)} cannot be used: ${reason}`)
  }
}
