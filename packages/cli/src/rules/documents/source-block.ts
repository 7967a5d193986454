/** Lines of a text, and the number of the first one, from 1. */
export interface SourceBlock {
  readonly line: number
  readonly lines: readonly string[]
}

/**
 * The lines of a list item or a map entry in a YAML document: from the line of its dash or key, with the comments directly above it,
 * to the last line that is indented deeper. `offset` must be in its first line.
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
  // Comments and empty lines at the end belong to the next block.
  while (end > first + 1 && isCommentOrEmpty(lines[end - 1]!)) end--
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
  if (isCommentOrEmpty(line)) return true
  return indentOf(line) > indent && !/^(---|\.\.\.)(\s|$)/.test(line)
}

function isCommentOrEmpty(line: string): boolean {
  return /^\s*(#|$)/.test(line)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
