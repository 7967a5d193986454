/** A sequence that a terminal acts upon and does not show, such as a change of colour. */
const SEQUENCE = new RegExp(`(${String.fromCharCode(27)}\\[[0-9;:?]*[@-~])`)

const PRINTABLE_ASCII = /^[ -~]*$/

/** Shown over two columns: an emoji, also one that only the selector behind it makes one. */
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u

/** Shown on top of the character before, or not at all. The vowels and finals of Hangul join the consonant before them. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u1160-\u11ff\ud7b0-\ud7ff]/u

/**
 * The characters that Unicode calls wide or full-width, without emoji: first and last of every range. Gaps that are not
 * assigned are closed where both sides are wide.
 */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18d08],
  [0x1aff0, 0x1b2fb],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
]

const ELLIPSIS = '…'

let segmenter: Intl.Segmenter | undefined

/**
 * How many columns a line takes on a terminal: colours take none, East Asian characters and emoji two.
 *
 * @example
 * visibleWidth('\u001b[31mred\u001b[39m')   // 3
 * visibleWidth('日本')                       // 4
 */
export function visibleWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length
  let width = 0
  text.split(SEQUENCE).forEach((part, index) => {
    if (index % 2 === 0) for (const cluster of clusters(part)) width += clusterWidth(cluster)
  })
  return width
}

/**
 * Cuts a line to a number of columns and marks the cut with `…`. Characters that belong together stay together, and colours
 * that were opened are closed.
 *
 * @example
 * truncate('Broker is out of disk space', 12)   // 'Broker is o…'
 */
export function truncate(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (visibleWidth(text) <= columns) return text
  let room = columns - 1
  let isFull = false
  let kept = ''
  text.split(SEQUENCE).forEach((part, index) => {
    const isSequence = index % 2 === 1
    if (isSequence) kept += part
    else if (!isFull) {
      for (const cluster of clusters(part)) {
        room -= clusterWidth(cluster)
        if (room < 0) {
          isFull = true
          kept += ELLIPSIS
          return
        }
        kept += cluster
      }
    }
  })
  return kept
}

/**
 * Cuts plain text to a number of columns in its middle: of a path the end says the most.
 *
 * @example
 * truncateMiddle('Reading /var/log/kafka/server.log', 24)   // 'Reading …afka/server.log'
 */
export function truncateMiddle(text: string, columns: number): string {
  if (visibleWidth(text) <= columns) return text
  const parts = [...clusters(text)]
  const start = takeWhileFits(parts, Math.floor((columns - 1) / 3))
  const end = takeWhileFits(parts.reverse(), columns - 1 - visibleWidth(start.join('')))
  return columns <= 0 ? '' : `${start.join('')}${ELLIPSIS}${end.reverse().join('')}`
}

function takeWhileFits(parts: readonly string[], columns: number): string[] {
  let room = columns
  const end = parts.findIndex((part) => {
    room -= clusterWidth(part)
    return room < 0
  })
  return parts.slice(0, end === -1 ? undefined : end)
}

/**
 * Fills a line up with blanks to a number of columns.
 *
 * @example
 * pad('日本', 6)   // '日本  '
 */
export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, columns - visibleWidth(text)))
  return side === 'left' ? text + blanks : blanks + text
}

/** Cuts text into what a reader takes for one character each. */
export function* clusters(text: string): Generator<string> {
  if (PRINTABLE_ASCII.test(text)) {
    yield* text
    return
  }
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** Columns of what a reader takes for one character. */
export function clusterWidth(cluster: string): number {
  if (cluster.length === 1 && PRINTABLE_ASCII.test(cluster)) return 1
  if (EMOJI.test(cluster)) return 2
  let width = 0
  for (const character of cluster) width += characterWidth(character)
  return width
}

function characterWidth(character: string): number {
  if (NO_WIDTH.test(character)) return 0
  const code = character.codePointAt(0)!
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}
