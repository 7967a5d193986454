/** A label, and what it means. */
export type Row = readonly [label: string, text: string]

const INDENT = 2
const GAP = 2
/** Where the second column would be narrower than this, it goes below the first. */
const LEAST_TEXT = 24

export function heading(title: string): string {
  return `${title}:`
}

/** Words in lines that are no longer than the width, each indented. A word that is longer stands alone. */
export function paragraph(text: string, width: number, indent = 0): string {
  const margin = ' '.repeat(indent)
  return wrap(text, width - indent)
    .map((line) => margin + line)
    .join('\n')
}

/**
 * Rows in two aligned columns, the second wrapped; below each other where the window is too narrow for that.
 *
 * @example
 * twoColumns([['-q, --quiet', 'Print nothing']], 80) // '  -q, --quiet  Print nothing'
 */
export function twoColumns(rows: readonly Row[], width: number, labelWidth?: number): string {
  const widest = labelWidth ?? Math.max(...rows.map(([label]) => label.length))
  const textColumn = INDENT + widest + GAP
  const isNarrow = width - textColumn < LEAST_TEXT
  return rows
    .map(([label, text]) => {
      const first = ' '.repeat(INDENT) + label
      if (isNarrow) return `${first}\n${paragraph(text, width, INDENT + 4)}`
      return first.padEnd(textColumn) + paragraph(text, width, textColumn).slice(textColumn)
    })
    .join('\n')
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
