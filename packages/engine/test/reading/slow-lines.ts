import { ENTRY_FLAG } from '../../src/scan/kernel/reading-layout.js'

/** An entry whose text has one character per byte. */
export interface SlowEntry {
  readonly timestamp: bigint
  readonly text: string
  readonly line: number
  /** ENTRY_FLAG bits. */
  readonly flags: number
}

export const LONGEST = 1 << 20

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

export function fromLatin1(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

export interface Line {
  readonly text: string
  readonly number: number
}

export function linesOf(data: string): Line[] {
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

export function flagsOf(text: string, afterTime = ''): number {
  return (text.includes('\\') ? ENTRY_FLAG.backslash : 0) | (afterTime === ',' ? ENTRY_FLAG.comma : 0)
}
