import type { Screen } from '../screen.js'
import { encodeQr } from './encode.js'
import type { QrSymbol } from './symbol.js'

/** Black on white whatever the theme is: readers do not like the inverse, and a theme may have its own idea of the 16 colours. */
const INK = '\u001b[38;5;16;48;5;231m'
const PLAIN = '\u001b[0m'

/** Two modules above each other, by which of them are dark: neither, the lower, the upper, both. */
const HALVES = [' ', '▄', '▀', '█']

/** The standard wants four light modules around a symbol; readers do with two, where the window is too low for more. */
const MARGINS = [4, 2]

/**
 * A text as a QR code for a terminal, two modules in a character. Undefined where it could not be read: without colours, which
 * nobody can rely on to be dark or light then, in a window too small for it beside `taken` other lines, or for a long text.
 *
 * @example
 * screen.write(renderQr('https://omen.example.com/device', screen, 6) ?? '')
 */
export function renderQr(text: string, screen: Screen, taken: number): string | undefined {
  if (!screen.isTerminal || !screen.colours) return undefined
  const symbol = encodeQr(text)
  if (!symbol) return undefined
  const { columns, rows = 24 } = screen
  const margin = MARGINS.find((candidate) => {
    const side = symbol.size + 2 * candidate
    return side <= columns && Math.ceil(side / 2) + taken <= rows
  })
  return margin === undefined ? undefined : draw(symbol, margin)
}

function draw({ size, modules }: QrSymbol, margin: number): string {
  const isDark = (row: number, column: number) =>
    row >= 0 && row < size && column >= 0 && column < size ? modules[row * size + column]! : 0
  let text = ''
  for (let row = -margin; row < size + margin; row += 2) {
    text += INK
    for (let column = -margin; column < size + margin; column++) {
      text += HALVES[2 * isDark(row, column) + isDark(row + 1, column)]
    }
    text += `${PLAIN}\n`
  }
  return text
}
