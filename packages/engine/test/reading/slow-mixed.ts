import { detectFormat } from '../../src/scan/reading/detect-format.js'
import { FORMATS, programOf, RANK } from '../../src/time/formats.js'
import { foundShape, runTime } from '../../src/time/run.js'
import { utcClock, yearLimit } from '../../src/time/wall-clock.js'
import { flagsOf, fromLatin1, type Line, LONGEST, linesOf, type SlowEntry } from './slow-lines.js'

/** The oracle of streams with several formats: all lines are in a list, and each rule is a function. */
export function slowMixed(data: string, now: Date): { entries: SlowEntry[]; formats: string[]; folded: number } {
  const lines = linesOf(data)
  const first = firstFormat(lines, now)
  const seen: Seen[] = first ? [{ row: first, shapes: new Set([shapeOfFirst(lines, first, now)]) }] : []
  const stream: Stream = { seen, used: first, last: undefined, now }
  const firstTime = firstTimeOf(lines.slice(0, PROBED), { ...stream, seen: seen.map((each) => ({ ...each })) })
  const entries: OpenEntry[] = []
  let folded = 0
  for (const line of lines) {
    const time = timeOf(line.text, stream)
    const open = entries.at(-1)
    if (time) {
      rememberTime(stream, time)
      const text = textOf(line.text, time)
      const flags = flagsOf(text, line.text[time.end])
      entries.push({ timestamp: time.timestamp, text, line: line.number, flags, isSealed: isJson(text) })
    } else if (stream.last === undefined && firstTime === undefined) {
      // No line has a time so far.
      const timestamp = BigInt(now.getTime()) * 1_000_000n
      entries.push({ timestamp, text: line.text, line: line.number, flags: flagsOf(line.text), isSealed: true })
    } else if (continues(line.text, open, stream.last !== undefined)) {
      folded++
      open!.text = `${open!.text}\n${line.text}`.slice(0, LONGEST)
      open!.flags |= flagsOf(line.text)
    } else {
      const timestamp = stream.last ?? firstTime!
      entries.push({
        timestamp,
        text: line.text,
        line: line.number,
        flags: flagsOf(line.text),
        isSealed: isJson(line.text),
      })
    }
  }
  return {
    entries: entries.map(({ isSealed: _, ...entry }) => entry),
    formats: stream.seen.map(({ row }) => row.name),
    folded,
  }
}

type Row = (typeof FORMATS)[number]

interface OpenEntry extends Pick<SlowEntry, 'timestamp' | 'line'> {
  text: string
  flags: number
  readonly isSealed: boolean
}

interface Seen {
  readonly row: Row
  /** Whether one line has shown it. */
  readonly isStrict?: boolean
  readonly shapes: Set<number>
}

/** What is known about a stream before a line. */
export interface Stream {
  /** The formats in the order in which they were first seen, and the one that was used last. */
  readonly seen: Seen[]
  used: Row | undefined
  /** The time of the last entry that has one of its own, and whether it had no date. */
  last: bigint | undefined
  isClock?: boolean
  readonly now: Date
}

/** The time of a line is that of the stream from then on. */
export function rememberTime(stream: Stream, { timestamp }: Time): void {
  stream.last = timestamp
  stream.isClock = stream.used!.name.startsWith('clock')
}

interface Time {
  readonly timestamp: bigint
  readonly start: number
  readonly end: number
  readonly shape: number
}

/** A time is near if it is at most 26 hours from the last one. The date of a clock alone is a guess: then any time is near. */
function isNear({ timestamp }: Time, { last, isClock }: Stream): boolean {
  const hours = last === undefined || isClock ? 0 : Number(timestamp - last) / 3.6e12
  return Math.abs(hours) <= 26
}

/** The time that makes a line the first one of an entry. */
export function timeOf(text: string, stream: Stream): Time | undefined {
  return inSeenFormat(text, stream) ?? inNewFormat(text, stream)
}

/**
 * The highest rank first, in a JSON object the keys of JSON; of the same rank the format that was used last. A shape that a format
 * did not have so far must be near.
 */
function inSeenFormat(text: string, stream: Stream): Time | undefined {
  const precedence = ({ row }: Seen) =>
    row.rank + (isJson(text) && isOfObjects(row) ? 100 : 0) + (row === stream.used ? 0.5 : 0)
  const order = stream.seen.toSorted((a, b) => precedence(b) - precedence(a))
  for (const { row, shapes, isStrict } of order) {
    const time = timeIn(row, text, stream.now)
    if (!time || (isStrict && !hasWords(row, text, time)) || !(shapes.has(time.shape) || isNear(time, stream))) continue
    shapes.add(time.shape)
    stream.used = row
    return time
  }
  return undefined
}

/** Of the formats whose time is near: the highest rank, then the time furthest left, then the order of the table. */
function inNewFormat(text: string, stream: Stream): Time | undefined {
  if (/^[ \t]/.test(text) && !isJson(text)) return undefined
  const fitting = FORMATS.filter((row) => isOfOneLine(row, text, stream)).flatMap((row) => {
    const time = timeIn(row, text, stream.now)
    return time && hasWords(row, text, time) && isNear(time, stream) ? [{ row, time }] : []
  })
  const [best] = fitting.sort((a, b) => b.row.rank - a.row.rank || a.time.start - b.time.start)
  if (!best) return undefined
  stream.seen.push({ row: best.row, shapes: new Set([best.time.shape]), isStrict: true })
  stream.used = best.row
  return best.time
}

const LEVEL =
  '(?:trace|debug|info|notice|warn|warning|error|err|crit|critical|fatal|panic|severe|alert|emerg|verbose|fine|finer|finest|config|[iwefdvt])'

/** Whether only words that loggers write precede a time. */
function hasWords({ name, at }: Row, text: string, { start }: Time): boolean {
  if (name === 'level-iso') return new RegExp(`^${LEVEL}[:|]`, 'i').test(text)
  if (typeof at !== 'object' || !('upto' in at)) return true
  const words = text
    .slice(0, start)
    .replace(/[^ \t|,;]+[ \t]*\|/g, ' ')
    .split(/[ \t|,;]/)
  const isName = (word: string) => /[-._/]/.test(word) && !word.endsWith(':')
  const isLevel = (word: string) => new RegExp(`^${LEVEL}:?$`, 'i').test(word)
  return words.every((word) => word === '' || /[\d[\]()<>=]/.test(word) || isLevel(word) || isName(word))
}

/** Whether the time of a format is in a JSON object. */
function isOfObjects({ at }: Row): boolean {
  return typeof at === 'object' && 'after' in at && at.after.startsWith('"')
}

/** Whether one line is enough to show that a stream has this format. */
function isOfOneLine(row: Row, text: string, { last }: Stream): boolean {
  const { rank } = row
  if (rank <= RANK.weak || rank >= RANK.container || (isOfObjects(row) && !isJson(text))) return false
  return rank !== RANK.anywhere || last !== undefined
}

/** The time of a text in a format. */
export function timeIn(row: Row, text: string, now: Date): Time | undefined {
  const found = { seconds: 0, nanos: 0, start: 0, end: 0 }
  if (!runTime(programOf(row), fromLatin1(text), 0, text.length, utcClock(yearLimit(now)), found)) return undefined
  const timestamp = BigInt(found.seconds) * 1_000_000_000n + BigInt(found.nanos)
  return { timestamp, start: found.start, end: found.end, shape: foundShape() }
}

const OBJECT = String.raw`\{[ \t]*["}]`
const PREFIX = String.raw`(?:\[pod/[^\] \t]*\] [ \t]*|[^| \t[\d][^| \t]*[ \t]*\| [ \t]*)?`
const JSON_LINE = new RegExp(String.raw`^[ \t]*${PREFIX}${OBJECT}`)

function isJson(text: string): boolean {
  return JSON_LINE.test(text) && /\}[ \t\r]*$/.test(text)
}

/** RFC 3339 and the space after it are not part of the text. */
export function textOf(text: string, { end }: Time): string {
  const isRfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text.slice(0, end))
  return isRfc3339 && text[end] === ' ' ? text.slice(end + 1) : text
}

/** Whether a line without a time belongs to the entry before it. */
function continues(text: string, open: OpenEntry | undefined, isTimed: boolean): boolean {
  if (!open || open.isSealed || isJson(text)) return false
  return isTimed || /^[ \t]/.test(text)
}

const PROBED = 50
const SURE = 16

/** The format that explains the first lines best. */
function firstFormat(lines: readonly Line[], now: Date): Row | undefined {
  const nonEmpty = (count: number) => lines.slice(0, count).filter(({ text }) => text !== '')
  const decide = (count: number) => {
    const texts = nonEmpty(count).map(({ text }) => text)
    const starts = texts.map((_, i) => texts.slice(0, i).join('\n').length + (i > 0 ? 1 : 0))
    const ends = starts.map((start, i) => start + texts[i].length)
    return detectFormat({ bytes: fromLatin1(texts.join('\n')), starts, ends }, utcClock(yearLimit(now)))
  }
  const sure = lines.length >= SURE ? decide(SURE) : undefined
  const decision = sure?.explained === SURE ? sure : decide(PROBED)
  return FORMATS.find(({ name }) => name === decision?.format.format.name)
}

function shapeOfFirst(lines: readonly Line[], row: Row, now: Date): number {
  return lines.map(({ text }) => timeIn(row, text, now)).find((time) => time !== undefined)?.shape ?? 0
}

/** The time of the first of these lines that has one. */
function firstTimeOf(lines: readonly Line[], stream: Stream): bigint | undefined {
  for (const { text } of lines) {
    const time = timeOf(text, stream)
    if (time) return time.timestamp
  }
  return undefined
}
