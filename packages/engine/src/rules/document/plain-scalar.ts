import type { ScalarStyle } from './tree.js'

const SPACE = 0x20

/** Raised for YAML that is not in the plain form: the general parser has to look at it. */
export class NotPlain extends Error {}

/** A scalar and where it ends. */
export interface ScalarText {
  readonly style: ScalarStyle
  readonly text: string
  readonly end: number
  /** Where the line after one that has several lines starts. */
  readonly next?: number
}

/** Characters with which a plain scalar cannot start, or only under conditions that are not worth checking. */
const INDICATORS = /[-?:,[\]{}#&*!|>'"%@`]/

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', '/': '/', n: '\n', t: '\t', r: '\r' }

/** Reads the scalar that starts at `at` on a line whose content ends at `to`, under a key or dash in `column`. */
export function scalarAt(file: string, at: number, to: number, column: number): ScalarText {
  const line = file.slice(at, to)
  if (line[0] === '|' || line[0] === '>') return block(line, file, to, column)
  if (line[0] === "'" || line[0] === '"') {
    const quoted = quotedAt(file, at, to)
    if (!isRestOfLine(file.slice(quoted.end, to))) throw new NotPlain()
    return quoted
  }
  return plain(line, file, at, column)
}

/** Whether the rest of a line is empty or a comment. */
export function isRestOfLine(rest: string): boolean {
  return rest === '' || /^ +#/.test(rest)
}

/** Whether a plain scalar may start with this text. */
export function startsPlain(text: string): boolean {
  return text !== '' && (!INDICATORS.test(text[0]!) || /^-[^ ]/.test(text))
}

function plain(line: string, file: string, at: number, column: number): ScalarText {
  if (!startsPlain(line)) throw new NotPlain()
  const comment = line.indexOf(' #')
  const text = comment === -1 ? line : line.slice(0, trimSpaces(line, 0, comment))
  if (isPairs(text)) throw new NotPlain()
  const end = at + text.length
  return comment === -1 ? withContinuation(text, file, end, column) : { style: 'plain', text, end }
}

/** Whether a text is, or could be taken for, a key and its value. */
export function isPairs(text: string): boolean {
  return text.includes(': ') || text.endsWith(':')
}

/** A plain scalar goes on over all lines that are indented further than its key or dash. */
function withContinuation(first: string, file: string, firstEnd: number, column: number): ScalarText {
  let text = first
  let end = firstEnd
  let next = lineAfter(file, firstEnd)
  for (let start = next, breaks = 0; start < file.length; start = lineAfter(file, start)) {
    const from = skipSpaces(file, start)
    if (file[from] === '\n') {
      breaks++
      continue
    }
    if (from - start <= column || from === file.length) break
    next = lineAfter(file, from)
    end = trimSpaces(file, from, file[next - 1] === '\n' ? next - 1 : next)
    const line = file.slice(from, end)
    if (line[0] === '#' || line.includes(' #') || line.includes('\t') || isPairs(line)) throw new NotPlain()
    text += (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + line
    breaks = 0
  }
  return { style: 'plain', text, end, next }
}

/** Reads a quoted scalar that starts at `at` and closes on its line, before `to`. */
export function quotedAt(file: string, at: number, to: number): ScalarText {
  const close = file[at] === "'" ? closingSingle(file, at, to) : closingDouble(file, at, to)
  const body = file.slice(at + 1, close)
  const end = close + 1
  if (file[at] === "'") return { style: 'single', text: body.replaceAll("''", "'"), end }
  return { style: 'double', text: body.includes('\\') ? body.replace(ESCAPE, unescaped) : body, end }
}

function closingSingle(file: string, at: number, to: number): number {
  for (let i = at + 1; i < to && file[i] !== '\n'; i++) {
    if (file[i] !== "'") continue
    if (file[i + 1] !== "'") return i
    i++
  }
  throw new NotPlain()
}

function closingDouble(file: string, at: number, to: number): number {
  for (let i = at + 1; i < to && file[i] !== '\n'; i++) {
    if (file[i] === '"') return i
    if (file[i] === '\\') i++
  }
  throw new NotPlain()
}

const ESCAPE = /\\(?:u([0-9A-Fa-f]{4})|([\s\S]))/g

function unescaped(_: string, code: string | undefined, letter: string | undefined): string {
  const meant = code === undefined ? ESCAPES[letter!] : String.fromCharCode(Number.parseInt(code, 16))
  if (meant === undefined) throw new NotPlain()
  return meant
}

/** A literal or folded block, clipped or stripped. Other indicators are rare. */
const BLOCK_HEADER = /^[|>]-?$/

function block(header: string, file: string, to: number, column: number): ScalarText {
  if (!BLOCK_HEADER.test(header)) throw new NotPlain()
  const { lines, end, next } = blockLines(file, lineAfter(file, to), column)
  if (lines.length === 0 || file[end - 1] !== '\n') throw new NotPlain()
  const lineEnd = header.endsWith('-') ? '' : '\n'
  if (header.startsWith('|')) return { style: 'literal', text: lines.join('\n') + lineEnd, end, next }
  return { style: 'folded', text: fold(lines) + lineEnd, end, next }
}

/** Lines that are indented further than the key or dash, without the indentation, which is that of the first one. */
function blockLines(file: string, first: number, column: number): { lines: string[]; end: number; next: number } {
  const lines: string[] = []
  let end = first
  let next = first
  let indent = 0
  while (next < file.length) {
    const after = lineAfter(file, next)
    const line = file.slice(next, file[after - 1] === '\n' ? after - 1 : after)
    const spaces = skipSpaces(line, 0)
    if (spaces === line.length) {
      // A line of spaces that reaches into the text is part of it: too rare to be implemented twice.
      if (spaces > (indent === 0 ? column + 1 : indent)) throw new NotPlain()
      lines.push('')
    } else {
      if (indent === 0) indent = spaces
      if (spaces < indent || indent <= column) {
        if (spaces > column || line[spaces] === '\t') throw new NotPlain()
        break
      }
      lines.push(line.slice(indent))
      end = after
    }
    next = after
  }
  while (lines.at(-1) === '') lines.pop()
  return { lines, end, next }
}

/** Joins lines with spaces; an empty line becomes a line feed. Lines that are indented further are left to the general parser. */
function fold(lines: readonly string[]): string {
  let text = ''
  let breaks = 0
  for (const [i, line] of lines.entries()) {
    if (line[0] === ' ' || line[0] === '\t') throw new NotPlain()
    if (line === '') breaks++
    else {
      text += (breaks === 0 && i > 0 ? ' ' : '\n'.repeat(breaks)) + line
      breaks = 0
    }
  }
  return text
}

function lineAfter(file: string, at: number): number {
  const end = file.indexOf('\n', at)
  return end === -1 ? file.length : end + 1
}

/** The first index at or after `at` that is not a space. */
export function skipSpaces(text: string, at: number): number {
  let to = at
  while (text.charCodeAt(to) === SPACE) to++
  return to
}

/** The end of a line without its trailing spaces. */
export function trimSpaces(text: string, from: number, to: number): number {
  let end = to
  while (end > from && text.charCodeAt(end - 1) === SPACE) end--
  return end
}
