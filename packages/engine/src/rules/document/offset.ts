import type { ScalarNode } from './tree.js'

/** Characters of an escape in a double-quoted scalar that are digits. The others have none. */
const ESCAPE_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/**
 * Where character `index` of a scalar's text stands in the file, as an offset; undefined where that cannot be told
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
