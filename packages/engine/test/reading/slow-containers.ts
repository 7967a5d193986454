import { FORMATS } from '../../src/time/formats.js'
import { flagsOf, type Line, LONGEST, latin1, linesOf, type SlowEntry, withoutEscapes } from './slow-lines.js'
import { rememberTime, type Stream, textOf, timeIn, timeOf } from './slow-mixed.js'

/** The oracle of container formats: every line is a record, or another line with its own time or that of the entry before. */
export function slowContainers(data: string, format: 'cri' | 'docker', now: Date): SlowEntry[] {
  const lines = linesOf(data)
  return joinPieces(
    lines.map((line) => (format === 'cri' ? criPiece(line, now) : dockerPiece(line, now))),
    now,
  )
}

const recordTime = (text: string, now: Date) => timeIn(FORMATS.find(({ name }) => name === 'cri')!, text, now)

/** A record of a container runtime; without a time it is another line. */
interface Piece {
  readonly line: number
  readonly text: string
  readonly timestamp?: bigint
  readonly stream?: string
  readonly goesOn?: boolean
}

function criPiece({ text, number }: Line, now: Date): Piece {
  const time = recordTime(text, now)
  const match = time && /^ (stdout|stderr) ([FP])(?::[^ ]*)?(?: ([\s\S]*))?$/.exec(text.slice(time.end))
  if (!match) return { line: number, text }
  const [, stream, tag, rest = ''] = match
  return { line: number, text: rest, timestamp: time.timestamp, stream, goesOn: tag === 'P' }
}

function dockerPiece({ text, number }: Line, now: Date): Piece {
  const record = parse(text)
  const isRecord = typeof record?.log === 'string' && typeof record.time === 'string'
  const time = isRecord ? recordTime(record.time, now) : undefined
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

function joinPieces(pieces: readonly Piece[], now: Date): SlowEntry[] {
  const entries: SlowEntry[] = []
  const pending = new Map<string, SlowEntry>()
  const stream: Stream = { seen: [], used: undefined, last: undefined, now }
  for (const { line, text, timestamp, stream: name = '', goesOn } of pieces) {
    if (timestamp === undefined) {
      entries.push(foreignEntry(text, line, stream))
      continue
    }
    const begun = pending.get(name)
    if (!begun) Object.assign(stream, { last: timestamp, isClock: false })
    const flags = flagsOf(text) | (begun?.flags ?? 0)
    const joined = begun
      ? { ...begun, text: (begun.text + text).slice(0, LONGEST), flags }
      : { timestamp, text, line, flags }
    if (goesOn) pending.set(name, joined)
    else {
      pending.delete(name)
      entries.push(joined)
    }
  }
  return [...entries, ...[...pending.values()].sort((a, b) => a.line - b.line)]
}

function foreignEntry(line: string, number: number, stream: Stream): SlowEntry {
  const time = timeOf(line, stream)
  if (!time) return { timestamp: stream.last ?? 0n, text: line, line: number, flags: flagsOf(line) }
  rememberTime(stream, time)
  const text = textOf(line, time)
  return { timestamp: time.timestamp, text, line: number, flags: flagsOf(text, line[time.end]) }
}
