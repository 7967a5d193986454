/** An escape sequence that a terminal does not show, such as a change of colour. */
const SEQUENCE = new RegExp(`(${String.fromCharCode(27)}\\[[0-9;:?]*[@-~])`)

const PRINTABLE_ASCII = /^[ -~]*$/

/** Two columns wide: an emoji, or a character that the variation selector after it turns into one. */
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u

/** Combined with the character before, or invisible. The vowels and finals of Hangul join the consonant before them. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u1160-\u11ff\ud7b0-\ud7ff]/u

/**
 * The first and last of every range of characters that Unicode calls wide or full-width, without emoji. Unassigned gaps between
 * two wide ranges are included.
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
 * The number of columns that a line takes on a terminal: colours take none, East Asian characters and emoji two.
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
 * Cuts a line to a number of columns and marks the cut with `…`. Grapheme clusters are not split, and escape sequences after the
 * cut are kept, so that colours are closed.
 *
 * @example
 * truncate('Broker is out of disk space', 12)   // 'Broker is o…'
 */
export function truncate(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (visibleWidth(text) <= columns) return text
  let available = columns - 1
  let isFull = false
  let kept = ''
  text.split(SEQUENCE).forEach((part, index) => {
    const isSequence = index % 2 === 1
    if (isSequence) kept += part
    else if (!isFull) {
      for (const cluster of clusters(part)) {
        available -= clusterWidth(cluster)
        if (available < 0) {
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
 * Cuts plain text in the middle to a number of columns, because the end of a path matters most.
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
  let available = columns
  const end = parts.findIndex((part) => {
    available -= clusterWidth(part)
    return available < 0
  })
  return parts.slice(0, end === -1 ? undefined : end)
}

/**
 * Pads a line with spaces to a number of columns.
 *
 * @example
 * pad('日本', 6)   // '日本  '
 */
export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, columns - visibleWidth(text)))
  return side === 'left' ? text + spaces : spaces + text
}

/** Splits text into grapheme clusters: what a reader perceives as one character. */
export function* clusters(text: string): Generator<string> {
  if (PRINTABLE_ASCII.test(text)) {
    yield* text
    return
  }
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** The number of columns of a grapheme cluster. */
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
