import { clusters, clusterWidth, visibleWidth } from './width.js'

/** What stays together in a line. */
export interface Word {
  readonly text: string
  readonly width: number
  /** A blank stands before it, unless it is the first of a line. */
  readonly spaced: boolean
}

/** A character that does not begin a line: it belongs to the one before. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}ー]/u

/**
 * Wraps text to a number of columns, every line behind an indent; line breaks in the text stay. A word that is longer than a line
 * is not broken, because it is a path or an address that somebody will copy.
 *
 * @example
 * wrap('Broker is out of disk space', 16, '  ')   // '  Broker is out\n  of disk space'
 */
export function wrap(text: string, columns: number, indent = ''): string {
  const room = columns - visibleWidth(indent)
  const lines = text.split('\n').flatMap((line) => fill(splitWords(line), room))
  return lines.map((line) => (line === '' ? '' : indent + line)).join('\n')
}

/**
 * Cuts text where a line may end: at blanks, and between the characters of scripts that are written without them.
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

/** Puts words into lines of a width. There is always a line, if an empty one. */
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
