/** Characters that a terminal may act on: control characters, lone surrogates, and those that change the text direction. */
const DANGEROUS = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Sequences that only set a colour: many programs write them to their logs, and no information is lost without them. */
const COLOUR_CODES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;:]*m`, 'g')

/** Most strings; faster to test than DANGEROUS. */
const PRINTABLE_ASCII = /^[ -~]*$/

const TAB_STOP = 8

/**
 * Makes a line of untrusted text (a log line, a title, a file name) safe to print: it cannot move the cursor, set the window
 * title, reorder text, or span several lines. Colour codes are removed; other control characters are shown as their picture (`␛`
 * for an escape).
 *
 * @example
 * sanitize('\u001b[31mdisk\u001b[0m full\u001b]0;owned\u0007')   // 'disk full␛]0;owned␇'
 */
export function sanitize(text: string): string {
  return isSafe(text) ? text : text.replace(COLOUR_CODES, '').replace(DANGEROUS, show)
}

/**
 * Makes text of several lines safe to print, line by line as `sanitize` does. Tabs become spaces up to the next tab stop.
 *
 * @example
 * sanitizeLines('at a()\r\n\tat b()')   // 'at a()\n        at b()'
 */
export function sanitizeLines(text: string, tabStop = TAB_STOP): string {
  if (isSafe(text)) return text
  const lines = text.replace(COLOUR_CODES, '').split(/\r?\n/)
  return lines.map((line) => sanitize(expandTabs(line, tabStop))).join('\n')
}

function isSafe(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || text.search(DANGEROUS) === -1
}

function show(character: string): string {
  const code = character.charCodeAt(0)
  if (character === '\t') return ' '
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

function expandTabs(line: string, tabStop: number): string {
  const [first = '', ...rest] = line.split('\t')
  let width = first.length
  const parts = rest.map((part) => {
    const spaces = tabStop - (width % tabStop)
    width += spaces + part.length
    return ' '.repeat(spaces) + part
  })
  return first + parts.join('')
}
