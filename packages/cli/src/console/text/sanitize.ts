/** What a terminal may act upon: control characters, half characters, and those that turn the direction of text around. */
const DANGEROUS = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Sequences that only choose a colour: many programs write them into their logs, and nothing is lost without them. */
const COLOUR_CODES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;:]*m`, 'g')

/** Nearly everything; found out faster than what is dangerous. */
const PRINTABLE_ASCII = /^[ -~]*$/

const TAB_STOP = 8

/**
 * Makes one line of foreign text (a log line, a title, a file name) safe to show: it cannot move the cursor, change the
 * title of the window, reorder what is read, or be more than one line. Colour codes are taken out; everything else stays visible, a control
 * character as its picture (`␛` for an escape).
 *
 * @example
 * sanitize('\u001b[31mdisk\u001b[0m full\u001b]0;owned\u0007')   // 'disk full␛]0;owned␇'
 */
export function sanitize(text: string): string {
  return isSafe(text) ? text : text.replace(COLOUR_CODES, '').replace(DANGEROUS, show)
}

/**
 * Makes text of several lines safe to show, as `sanitize` does, line by line. Tabs become blanks up to the next stop.
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
    const blanks = tabStop - (width % tabStop)
    width += blanks + part.length
    return ' '.repeat(blanks) + part
  })
  return first + parts.join('')
}
