import { clusters, clusterWidth, visibleWidth } from './width.js'

/** A part of text that is not broken across lines. */
export interface Word {
  readonly text: string
  readonly width: number
  /** Whether a space precedes the word, unless it is the first in a line. */
  readonly spaced: boolean
}

/** A character that must not begin a line, such as a closing bracket. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}ー]/u

/**
 * Wraps text to a number of columns and indents every line; line breaks in the text are kept. A word that is longer than a line is
 * not broken, because it may be a path or an address that a user copies.
 *
 * @example
 * wrap('Broker is out of disk space', 16, '  ')   // '  Broker is out\n  of disk space'
 */
export function wrap(text: string, columns: number, indent = ''): string {
  const width = columns - visibleWidth(indent)
  const lines = text.split('\n').flatMap((line) => fill(splitWords(line), width))
  return lines.map((line) => (line === '' ? '' : indent + line)).join('\n')
}

/**
 * Splits text where a line may end: at spaces, and between the characters of scripts that are written without spaces.
 *
 * @example
 * splitWords('disk full')   // [{ text: 'disk', … }, { text: 'full', spaced: true, … }]
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  let spaced = false
  for (const part of text.split(/([ \t]+)/)) {
    if (part === '') continue
    if (part.trim() === '') {
      spaced = true
      continue
    }
    for (const piece of splitWide(part)) {
      words.push({ text: piece, width: visibleWidth(piece), spaced })
      spaced = false
    }
  }
  return words
}

/** Fills lines of a width with words. The result has at least one line, which may be empty. */
export function fill(words: readonly Word[], width: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  let isEmpty = true
  for (const word of words) {
    const gap = word.spaced && !isEmpty ? ' ' : ''
    if (!isEmpty && used + gap.length + word.width > width) {
      lines.push(line)
      line = word.text
      used = word.width
    } else {
      line += gap + word.text
      used += gap.length + word.width
    }
    isEmpty = false
  }
  lines.push(line)
  return lines
}

function splitWide(word: string): string[] {
  if (visibleWidth(word) === word.length) return [word]
  const pieces: string[] = []
  let isWideBefore = false
  for (const cluster of clusters(word)) {
    const isWide = clusterWidth(cluster) === 2
    const mayBreak = (isWide || isWideBefore) && !CLOSING.test(cluster)
    if (pieces.length === 0 || mayBreak) pieces.push(cluster)
    else pieces[pieces.length - 1] += cluster
    isWideBefore = isWide
  }
  return pieces
}
