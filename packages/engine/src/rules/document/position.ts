import type { ScalarNode } from './tree.js'

/** A position in a file as editors show it: both count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Turns offsets of a text into lines and columns. Lines are counted at the first call: most files have no problems. */
export function createLocator(text: string): (offset: number) => Position {
  let starts: number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    const line = lastAtOrBefore(starts, offset)
    return { line: line + 1, column: offset - starts[line]! + 1 }
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lastAtOrBefore(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (sorted[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}

/** Characters of an escape in a double-quoted scalar that are digits. The others have none. */
const ESCAPE_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/**
 * The offset in the file of character `index` of a scalar's text; undefined where it cannot be computed
 * (a folded block, a quoted text over several lines).
 */
export function offsetWithin(file: string, node: ScalarNode, index: number): number | undefined {
  const written = file.slice(node.start, node.end)
  if (written === node.text) return node.start + index
  if (node.style === 'literal') return withinLiteralBlock(written, node, index)
  if (written.includes('\n')) return undefined
  if (node.style === 'single') return node.start + withinSingleQuotes(written, index)
  if (node.style === 'double') return node.start + withinDoubleQuotes(written, index)
  return undefined
}

function withinSingleQuotes(written: string, index: number): number {
  let at = 1
  for (let seen = 0; seen < index && at < written.length - 1; seen++) at += written[at] === "'" ? 2 : 1
  return at
}

function withinDoubleQuotes(written: string, index: number): number {
  let at = 1
  for (let seen = 0; seen < index && at < written.length - 1; ) {
    const escaped = written[at] === '\\' ? written[at + 1]! : undefined
    const digits = escaped === undefined ? 0 : (ESCAPE_DIGITS[escaped] ?? 0)
    const isPair = digits === 8 && Number.parseInt(written.slice(at + 2, at + 10), 16) > 0xffff
    at += escaped === undefined ? 1 : 2 + digits
    seen += isPair ? 2 : 1
  }
  return at
}

/** Each line of the text is one line of the file, without its indentation. */
function withinLiteralBlock(written: string, { start, text }: ScalarNode, index: number): number | undefined {
  const before = text.slice(0, index)
  const lineNumber = before.split('\n').length - 1
  const column = index - (before.lastIndexOf('\n') + 1)
  const line = text.split('\n')[lineNumber] ?? ''
  let lineStart = written.indexOf('\n') + 1
  for (let i = 0; i < lineNumber; i++) lineStart = written.indexOf('\n', lineStart) + 1
  const lineEnd = written.indexOf('\n', lineStart)
  const writtenLine = written.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).replace(/\r$/, '')
  return writtenLine.endsWith(line) ? start + lineStart + writtenLine.length - line.length + column : undefined
}
