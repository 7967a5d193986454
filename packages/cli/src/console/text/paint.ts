/**
 * The escape codes of each style. Only the 16 basic colours are used, which users can configure for light and dark backgrounds. A
 * table, because loading `styleText` of `node:util` takes longer than all colouring.
 */
const STYLES = {
  critical: ['1;31', '22;39'],
  high: ['91', '39'],
  medium: ['33', '39'],
  low: ['36', '39'],
  info: ['2', '22'],
  good: ['32', '39'],
  bad: ['31', '39'],
  warning: ['33', '39'],
  heading: ['1', '22'],
  bold: ['1', '22'],
  dim: ['2', '22'],
  italic: ['3', '23'],
  underline: ['4', '24'],
  struck: ['9', '29'],
  code: ['36', '39'],
} as const

export type Style = keyof typeof STYLES

export type Paint = (style: Style, text: string) => string

/** The style of each severity, by number. */
const SEVERITY_STYLES = ['critical', 'high', 'medium', 'low', 'info'] as const

/**
 * Returns the function that applies a style to text; without colours it returns the text unchanged.
 *
 * @example
 * const paint = createPaint(screen.colours)
 * screen.write(`${paint('bold', 'Cause')}\n`)
 */
export function createPaint(colours: boolean): Paint {
  if (!colours) return (_, text) => text
  return (style, text) => {
    const [open, close] = STYLES[style]
    return text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`
  }
}

/**
 * The style of a severity; a record without one is treated as critical.
 *
 * @example
 * paint(severityStyle(cre.severity), severityLabel(cre.severity))
 */
export function severityStyle(severity: number | undefined): Style {
  return SEVERITY_STYLES[severity ?? 0] ?? 'info'
}
