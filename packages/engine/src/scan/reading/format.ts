import { parseRegex } from '../../terms/regex/parse/parse.js'
import { createRegexExtract } from '../../terms/regex/run/search.js'
import type { FoundTime } from '../../time/finish.js'
import { firstBytes } from '../../time/first-bytes.js'
import { FORMATS, type FormatRow, programOf, RANK } from '../../time/formats.js'
import { compileTimeFormat } from '../../time/named.js'
import { runTime } from '../../time/run.js'
import { readsDate } from '../../time/screen.js'
import type { WallClock } from '../../time/wall-clock.js'
import { CONFIGURED, DOCKER_PIECE, KIND, ROW_FLAG, TEXT, TIMED } from '../kernel/reading-layout.js'
import { type CriLine, type DockerLine, readCri, readDocker } from './containers.js'

/** A format of a stream: plain data that can be sent to another thread. */
export interface ReadingFormat {
  /** The name of a row in the table of formats, or `custom`. */
  readonly name: string
  /** For `custom`: where the time is and how it is written. */
  readonly custom?: CustomTimestamp
  /** In which shapes its times were written so far: bits 1 << SHAPE. */
  readonly shapes?: number
  /** Whether one line has shown it, so that only words that loggers write may precede its times. */
  readonly strict?: boolean
  /** Whether it was used last. */
  readonly recent?: boolean
}

/** A format ready to run. */
export interface LineFormat {
  readonly format: ReadingFormat
  /** Its index in the table, or CONFIGURED and an index of a configured one. */
  readonly row: number
  /** How a stream of this format is divided into entries: one of KIND. */
  readonly kind: number
  /** One of TEXT. */
  readonly text: number
  readonly rank: number
  /** The TIMED of a stream after a line in this format. */
  readonly timed: number
  /** Whether a single line in the middle of a stream can show that the stream has this format. */
  readonly isDiscovered: boolean
  /** ROW_FLAG bits. */
  readonly flags: number
  /** The time program, if the kernel can run it. */
  readonly program?: Uint8Array
  /** A string that is in every line with a time. */
  readonly key?: string
  /** The bytes with which such a line can start: 1 by byte value, otherwise 0. */
  readonly firstBytes?: Uint8Array | undefined
  /** In container formats: whether a line is a record, and no piece of an entry that goes on in another record. */
  isWhole?(bytes: Uint8Array, start: number, end: number, clock: WallClock, found: FoundTime): boolean
  /** Finds the time of a line; in container formats only if the line is a record. */
  find(bytes: Uint8Array, start: number, end: number, clock: WallClock, found: FoundTime): boolean
}

let table: readonly LineFormat[] | undefined

/** All built-in formats, those of the highest rank first. */
export function builtInFormats(): readonly LineFormat[] {
  table ??= FORMATS.toSorted((a, b) => b.rank - a.rank).map(lineFormat)
  return table
}

/** Makes a format ready to run that was decided before; `configured` are the configured ones. */
export function openFormat(format: ReadingFormat, configured: readonly LineFormat[] = []): LineFormat {
  const opened = [...configured, ...builtInFormats()].find((known) => isSameFormat(known.format, format))
  if (opened) return opened
  if (format.custom) return customFormat(format.custom, configured.length)
  throw new Error(`unknown format: ${format.name}`)
}

export function isSameFormat(a: ReadingFormat, b: ReadingFormat): boolean {
  return a.name === b.name && a.custom?.regex === b.custom?.regex && a.custom?.format === b.custom?.format
}

/** A configured format; `index` is its place among the configured ones. */
export function customFormat(custom: CustomTimestamp, index: number): LineFormat {
  return {
    format: { name: 'custom', custom },
    row: CONFIGURED + index,
    kind: KIND.lines,
    text: TEXT.whole,
    rank: RANK.configured,
    timed: timedBy(compileTimeFormat(custom.format)),
    isDiscovered: true,
    flags: 0,
    find: compileCustom(custom),
  }
}

function lineFormat(row: FormatRow, index: number): LineFormat {
  const { name, rank, at, text } = row
  const run: LineFormat['find'] = (bytes, start, end, clock, found) =>
    runTime(programOf(row), bytes, start, end, clock, found)
  const isDocker = text === 'docker'
  const key = typeof at === 'object' && 'after' in at ? at.after : undefined
  let first: Uint8Array | undefined
  return {
    format: { name },
    row: index,
    kind: isDocker ? KIND.docker : text === 'cri' ? KIND.cri : KIND.lines,
    text: text === 'rest' ? TEXT.rest : TEXT.either,
    rank,
    get timed() {
      return timedBy(programOf(row))
    },
    isDiscovered: rank > RANK.weak && rank < RANK.container,
    flags: flagsOf(row),
    ...(key !== undefined && { key }),
    ...(isDocker && { key: '"log"' }),
    // Compiled on first use: most formats are never used.
    get program() {
      return programOf(row)
    },
    get firstBytes() {
      if (!isDocker) first ??= firstBytes(programOf(row))
      return first
    },
    ...(text === 'cri' ? inCri(run) : isDocker ? inDocker(run) : { find: run }),
  }
}

function flagsOf({ rank, at, lead }: FormatRow): number {
  const after = typeof at === 'object' && 'after' in at ? at.after : undefined
  const upto = typeof at === 'object' && 'upto' in at
  return (
    (rank === RANK.anywhere ? ROW_FLAG.anywhere : 0) |
    (after?.startsWith('"') ? ROW_FLAG.object : 0) |
    (upto ? ROW_FLAG.words : 0) |
    (lead === 'level' ? ROW_FLAG.level : 0)
  )
}

function timedBy(program: Uint8Array): number {
  return readsDate(program) ? TIMED.yes : TIMED.clock
}

type Finding = Pick<LineFormat, 'find' | 'isWhole'>

function inCri(run: LineFormat['find']): Finding {
  const cri: CriLine = { stream: 0, partial: false, text: 0 }
  const find: LineFormat['find'] = (bytes, start, end, clock, found) =>
    run(bytes, start, end, clock, found) && readCri(bytes, found.end, end, cri)
  return { find, isWhole: (...line) => find(...line) && !cri.partial }
}

function inDocker(run: LineFormat['find']): Finding {
  const docker: DockerLine = { stream: 0, log: 0, logEnd: 0, time: 0, timeEnd: 0 }
  const find: LineFormat['find'] = (bytes, start, end, clock, found) =>
    readDocker(bytes, start, end, docker) &&
    run(bytes, docker.time, docker.timeEnd, clock, found) &&
    found.end === docker.timeEnd
  const isWhole: LineFormat['find'] = (bytes, start, end, clock, found) =>
    find(bytes, start, end, clock, found) &&
    (docker.logEnd - docker.log < DOCKER_PIECE || bytes[docker.logEnd - 1] === LETTER_N)
  return { find, isWhole }
}

/** The line end of a Docker record is written `\n`. A long piece that ends with this letter is rare. */
const LETTER_N = 110

/** A configured timestamp: the first group of `regex`, or its whole match, is a time in the layout `format`. */
export interface CustomTimestamp {
  readonly regex: string
  readonly format: string
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Compiles a configured timestamp. Throws an error with the reason if the pattern or the format is not valid. */
export function compileCustom({ regex, format }: CustomTimestamp): LineFormat['find'] {
  const extract = compilePattern(regex)
  const program = compileTimeFormat(format)
  return (bytes, start, end, clock, found) => {
    const taken = extract(decoder.decode(bytes.subarray(start, end)))
    if (taken === undefined) return false
    const time = encoder.encode(taken.trim())
    return runTime(program, time, 0, time.length, clock, found) && found.end === time.length
  }
}

/**
 * Throws an error with the reason if the pattern or the format of a configured timestamp is not valid.
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
