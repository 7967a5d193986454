/** Characters that a terminal may act upon: control characters, lone surrogates, and those that change the text direction. */
const DANGEROUS = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Zero columns wide: accents and joiners. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/gu

/** Two columns wide: East Asian letters, full-width forms, emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/gu

const GAP = '  '

/**
 * Makes untrusted text safe to show on one line: nothing in it can move the cursor or reorder characters.
 *
 * @example
 * onOneLine('Acme\u001b[2J') // 'Acme\ufffd[2J'
 */
export function onOneLine(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ').replace(DANGEROUS, '\ufffd')
}

/**
 * Writes rows in aligned columns, each line with its end, under a header. Cells are made safe to show.
 *
 * @example
 * formatTable(['ORG', 'STATE'], [['Acme', 'issued']]) // 'ORG   STATE\nAcme  issued\n'
 */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return align([header, ...rows])
}

/**
 * Writes names and values in two columns, each line with its end.
 *
 * @example
 * formatFields([['Code', 'K7QF2M-9XTR4B'], ['For', 'Acme']]) // 'Code  K7QF2M-9XTR4B\nFor   Acme\n'
 */
export function formatFields(fields: readonly (readonly [name: string, value: string])[]): string {
  return align(fields)
}

function align(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(onOneLine))
  const widths: number[] = []
  for (const row of cells) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell))
  }
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell)))
      .join(GAP)
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

function widthOf(text: string): number {
  const visible = text.replace(WITHOUT_WIDTH, '')
  return [...visible].length + (visible.match(WIDE)?.length ?? 0)
}
