/** Lines of a text: the first one's number, from 1, and the lines themselves. */
export interface SourceBlock {
  readonly line: number
  readonly lines: readonly string[]
}

/**
 * The lines of a YAML document that a list item or a map entry takes up: from the line of its dash or key, with the comments
 * right above it, to the last line that is indented deeper. `offset` lies in its first line.
 *
 * @example
 * blockAt('rules:\n  - cre:\n      id: A-1\n  - cre: …', 11)   // { line: 2, lines: ['  - cre:', '      id: A-1'] }
 */
export function blockAt(text: string, offset: number): SourceBlock {
  const lines = text.split(/\r?\n/)
  const first = countLines(text, offset)
  const indent = indentOf(lines[first]!)
  let end = first + 1
  while (end < lines.length && belongs(lines[end]!, indent)) end++
  // Comments and blank lines at the end belong to what follows.
  while (end > first + 1 && isAside(lines[end - 1]!)) end--
  let start = first
  while (start > 0 && lines[start - 1]!.trimStart().startsWith('#') && indentOf(lines[start - 1]!) === indent) start--
  return { line: start + 1, lines: lines.slice(start, end) }
}

function countLines(text: string, offset: number): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

function belongs(line: string, indent: number): boolean {
  if (isAside(line)) return true
  return indentOf(line) > indent && !/^(---|\.\.\.)(\s|$)/.test(line)
}

function isAside(line: string): boolean {
  return /^\s*(#|$)/.test(line)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
