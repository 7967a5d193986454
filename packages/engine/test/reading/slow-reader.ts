import { ENTRY_FLAG } from '../../src/scan/kernel/reading-layout.js'
import { FORMATS, programOf } from '../../src/time/formats.js'
import { runTime } from '../../src/time/run.js'
import { utcClock, yearLimit } from '../../src/time/wall-clock.js'

/** An entry whose text has one character per byte. */
export interface SlowEntry {
  readonly timestamp: bigint
  readonly text: string
  readonly line: number
  /** ENTRY_FLAG bits. */
  readonly flags: number
}

const LONGEST = 1 << 20

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

export function fromLatin1(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

interface Line {
  readonly text: string
  readonly number: number
}

function linesOf(data: string): Line[] {
  const parts = data.split('\n')
  const last = parts.length - 1
  const texts = parts.map((part, i) => (i < last && part.endsWith('\r') ? part.slice(0, -1) : part))
  if (texts[last] === '') texts.pop()
  return texts.map((text, i) => {
    const plain = withoutEscapes(text.slice(0, LONGEST))
    return { text: i === 0 && plain.startsWith('\xef\xbb\xbf') ? plain.slice(3) : plain, number: i + 1 }
  })
}

const [ESC, BEL] = ['\x1b', '\x07']
const STRING_END = String.raw`(?:${BEL}|${ESC}\\)`

/** What may follow an escape byte: a control sequence, a string, or another sequence of ECMA-48. */
const SEQUENCES = [
  String.raw`\[[0-?]*[ -/]*[@-~]`,
  String.raw`[\]PX^_](?:(?!${STRING_END})[^])*${STRING_END}`,
  '[ -/]*[0-OQ-WYZ\\\\`-~]',
  String.raw`[ -/]+[PX[\]^_]`,
]
const ESCAPES = new RegExp(`${ESC}(?:${SEQUENCES.join('|')})?`, 'g')

/** A text without the escape sequences of terminals. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, '')
}

function flagsOf(text: string, afterTime = ''): number {
  return (text.includes('\\') ? ENTRY_FLAG.backslash : 0) | (afterTime === ',' ? ENTRY_FLAG.comma : 0)
}

interface Time {
  readonly timestamp: bigint
  readonly end: number
}

function timeIn(formatName: string, text: string, now: Date): Time | undefined {
  const row = FORMATS.find(({ name }) => name === formatName)!
  const found = { seconds: 0, nanos: 0, start: 0, end: 0 }
  if (!runTime(programOf(row), fromLatin1(text), 0, text.length, utcClock(yearLimit(now)), found)) return undefined
  return { timestamp: BigInt(found.seconds) * 1_000_000_000n + BigInt(found.nanos), end: found.end }
}

/** The oracle of the reader: reads a log in a known format in the simplest way. The format must not change in the log. */
export function slowRead(data: Uint8Array, format: string, now: Date): SlowEntry[] {
  const lines = linesOf(latin1(data))
  const text = FORMATS.find(({ name }) => name === format)!.text
  if (text === 'cri') return joinPieces(lines.map((line) => criPiece(line, format, now)))
  if (text === 'docker') return joinPieces(lines.map((line) => dockerPiece(line, format, now)))
  return fold(lines, format, now, text === 'rest')
}

function fold(lines: readonly Line[], format: string, now: Date, isRest: boolean): SlowEntry[] {
  const entries: SlowEntry[] = []
  for (const { text, number } of lines) {
    const time = timeIn(format, text, now)
    const last = entries.length - 1
    if (time) {
      const rest = isRest && text[time.end] === ' ' ? text.slice(time.end + 1) : text
      entries.push({ timestamp: time.timestamp, text: rest, line: number, flags: flagsOf(rest, text[time.end]) })
    } else if (last >= 0) {
      const { text: before, flags } = entries[last]
      entries[last] = { ...entries[last], text: `${before}\n${text}`.slice(0, LONGEST), flags: flags | flagsOf(text) }
    }
  }
  return entries
}

/** A record of a container runtime; without a time it is another line. */
interface Piece {
  readonly line: number
  readonly text: string
  readonly timestamp?: bigint
  readonly stream?: string
  readonly goesOn?: boolean
}

function criPiece({ text, number }: Line, format: string, now: Date): Piece {
  const time = timeIn(format, text, now)
  const match = time && /^ (stdout|stderr) ([FP])(?::[^ ]*)?(?: ([\s\S]*))?$/.exec(text.slice(time.end))
  if (!match) return { line: number, text }
  const [, stream, tag, rest = ''] = match
  return { line: number, text: rest, timestamp: time.timestamp, stream, goesOn: tag === 'P' }
}

function dockerPiece({ text, number }: Line, format: string, now: Date): Piece {
  const record = parse(text)
  const isRecord = typeof record?.log === 'string' && typeof record.time === 'string'
  const time = isRecord ? timeIn(format, record.time, now) : undefined
  if (!time || time.end !== record.time.length || !['stdout', 'stderr'].includes(record.stream)) {
    return { line: number, text }
  }
  // The log is UTF-8 with one character per byte in `text`; an escape in it is a whole character.
  const log = withoutEscapes(decodeEscapes(text))
  const goesOn = !log.endsWith('\n') && log.length >= 16_384
  return { line: number, text: log.replace(/\r?\n$/, ''), timestamp: time.timestamp, stream: record.stream, goesOn }
}

/** The value of `log` as bytes: bytes outside ASCII are replaced before JSON.parse, so that it only resolves escapes. */
function decodeEscapes(line: string): string {
  const escapes = parse(line.replace(/[\x80-\xff]/g, (byte) => String.fromCharCode(0xe000 + byte.charCodeAt(0))))
  const bytes = new TextEncoder()
  return Array.from(escapes!.log as string, (character) => {
    const code = character.codePointAt(0)!
    return code > 0xe07f && code < 0xe100 ? String.fromCharCode(code - 0xe000) : latin1(bytes.encode(character))
  }).join('')
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function joinPieces(pieces: readonly Piece[]): SlowEntry[] {
  const entries: SlowEntry[] = []
  const pending = new Map<string, SlowEntry>()
  let last: bigint | undefined
  for (const { line, text, timestamp, stream = '', goesOn } of pieces) {
    if (timestamp === undefined) {
      if (last !== undefined) entries.push({ timestamp: last, text, line, flags: flagsOf(text) })
      continue
    }
    const begun = pending.get(stream)
    if (!begun) last = timestamp
    const flags = flagsOf(text) | (begun?.flags ?? 0)
    const joined = begun
      ? { ...begun, text: (begun.text + text).slice(0, LONGEST), flags }
      : { timestamp, text, line, flags }
    if (goesOn) pending.set(stream, joined)
    else {
      pending.delete(stream)
      entries.push(joined)
    }
  }
  return [...entries, ...[...pending.values()].sort((a, b) => a.line - b.line)]
}
