import { parseRegex } from '../../terms/regex/parse/parse.js'
import { createRegexExtract } from '../../terms/regex/run/search.js'
import type { FoundTime } from '../../time/finish.js'
import { firstBytes } from '../../time/first-bytes.js'
import { FORMATS, type FormatRow, programOf, RANK } from '../../time/formats.js'
import { compileTimeFormat } from '../../time/named.js'
import { runTime } from '../../time/run.js'
import { utcClock, type WallClock } from '../../time/wall-clock.js'
import { DOCKER_PIECE, KIND } from '../kernel/reading-layout.js'
import { type CriLine, type DockerLine, readCri, readDocker } from './containers.js'
import { removeEscapes } from './escapes.js'

/** The format of a log: plain data that can be sent to another thread. */
export interface ReadingFormat {
  /** The name of a row in the table of formats, `custom`, or `none` if no line has a time. */
  readonly name: string
  /** For `custom`: where the time is and how it is written. */
  readonly custom?: CustomTimestamp
}

/** A format ready to run. */
export interface LineFormat {
  readonly format: ReadingFormat
  /** One of KIND. */
  readonly kind: number
  readonly rank: number
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

export const NO_TIME: LineFormat = { format: { name: 'none' }, kind: KIND.none, rank: 0, find: () => false }

let table: readonly LineFormat[] | undefined

/** All built-in formats, those of the highest rank first. */
export function builtInFormats(): readonly LineFormat[] {
  table ??= FORMATS.map(lineFormat).sort((a, b) => b.rank - a.rank)
  return table
}

/** Makes a decided format ready to run. */
export function openFormat(format: ReadingFormat): LineFormat {
  if (format.name === 'none') return NO_TIME
  if (format.custom) return customFormat(format.custom)
  const row = FORMATS.find(({ name }) => name === format.name)
  if (!row) throw new Error(`unknown format: ${format.name}`)
  return lineFormat(row)
}

export function isSameFormat(a: ReadingFormat, b: ReadingFormat): boolean {
  return a.name === b.name && a.custom?.regex === b.custom?.regex && a.custom?.format === b.custom?.format
}

export function customFormat(custom: CustomTimestamp): LineFormat {
  return { format: { name: 'custom', custom }, kind: KIND.whole, rank: RANK.configured, find: compileCustom(custom) }
}

function lineFormat(row: FormatRow): LineFormat {
  const { name, rank, at, text = 'whole' } = row
  const run: LineFormat['find'] = (bytes, start, end, clock, found) =>
    runTime(programOf(row), bytes, start, end, clock, found)
  const isDocker = text === 'docker'
  let first: Uint8Array | undefined
  return {
    format: { name },
    kind: KIND[text],
    rank,
    ...(typeof at === 'object' && 'after' in at && { key: at.after }),
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

const found: FoundTime = { seconds: 0, nanos: 0, start: 0, end: 0 }

let last: { format: ReadingFormat; opened: LineFormat } | undefined

/**
 * Whether a line, the bytes from `start` to `end` without the line end, starts a new entry in a format. A file can be divided
 * before such a line and read by several readers.
 *
 * @example
 * startsEntry(reader.format, bytes, lineStart, lineEnd)
 */
export function startsEntry(format: ReadingFormat, bytes: Uint8Array, start: number, end: number): boolean {
  if (format.name === 'none') return true
  return opened(format).find(...withoutEscapes(bytes, start, end))
}

/**
 * Whether the entry of a line is probably complete if the next line starts another one. In container formats the next record may
 * be a piece of the same entry.
 */
export function endsEntry(format: ReadingFormat, bytes: Uint8Array, start: number, end: number): boolean {
  const { isWhole } = opened(format)
  return isWhole === undefined || isWhole(...withoutEscapes(bytes, start, end))
}

function opened(format: ReadingFormat): LineFormat {
  if (last?.format !== format) last = { format, opened: openFormat(format) }
  return last.opened
}

function withoutEscapes(bytes: Uint8Array, start: number, end: number): Parameters<LineFormat['find']> {
  const line = bytes.slice(start, end)
  return [line, 0, removeEscapes(line, 0, line.length), utcClock(0), found]
}
