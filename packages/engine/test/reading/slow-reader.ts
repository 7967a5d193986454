import { FORMATS, programOf } from '../../src/time/formats.js'
import { runTime, yearLimit } from '../../src/time/run.js'

/** An entry whose text has one character per byte. */
export interface SlowEntry {
  readonly timestamp: bigint
  readonly text: string
  readonly line: number
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
    const cut = text.slice(0, LONGEST)
    return { text: i === 0 && cut.startsWith('\xef\xbb\xbf') ? cut.slice(3) : cut, number: i + 1 }
  })
}

interface Time {
  readonly timestamp: bigint
  readonly end: number
}

function timeIn(formatName: string, text: string, now: Date): Time | undefined {
  const row = FORMATS.find(({ name }) => name === formatName)!
  const found = { seconds: 0, nanos: 0, start: 0, end: 0 }
  if (!runTime(programOf(row), fromLatin1(text), 0, text.length, yearLimit(now), found)) return undefined
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
      entries.push({ timestamp: time.timestamp, text: rest, line: number })
    } else if (last >= 0) {
      entries[last] = { ...entries[last], text: `${entries[last].text}\n${text}`.slice(0, LONGEST) }
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
  const log = decodeEscapes(text)
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
      if (last !== undefined) entries.push({ timestamp: last, text, line })
      continue
    }
    const begun = pending.get(stream)
    if (!begun) last = timestamp
    const joined = begun ? { ...begun, text: (begun.text + text).slice(0, LONGEST) } : { timestamp, text, line }
    if (goesOn) pending.set(stream, joined)
    else {
      pending.delete(stream)
      entries.push(joined)
    }
  }
  return [...entries, ...[...pending.values()].sort((a, b) => a.line - b.line)]
}
