import { encode } from 'uqr'
import type { Screen } from './screen.js'

/** Black on white in any theme: scanners have trouble with inverted codes, and themes redefine the 16 basic colours. */
const INK = '\u001b[38;5;16;48;5;231m'
const RESET = '\u001b[0m'

/** A character for two modules, one above the other: both light, the lower dark, the upper dark, both dark. */
const HALF_BLOCKS = [' ', '▄', '▀', '█']

/** The standard asks for four light modules around a code; scanners cope with two, for windows with few rows. */
const MARGINS = [4, 2]

/** Version 10 holds 271 bytes and is 57 modules wide; a larger code does not fit into most windows. */
const LARGEST_VERSION = 10

/**
 * Renders `text` as a QR code of half blocks, two rows of modules in a line. Returns undefined where a scanner could not read
 * it: without colours, in a window that is too small for it and `otherLines` lines, or for more than 271 bytes.
 *
 * @example
 * screen.write(renderQr('https://omen.example.com/device', screen, 6) ?? '')
 */
export function renderQr(text: string, screen: Screen, otherLines: number): string | undefined {
  if (!screen.isTerminal || !screen.colours) return undefined
  const modules = encodeModules(text)
  if (!modules) return undefined
  const { columns, rows = 24 } = screen
  const margin = MARGINS.find((candidate) => {
    const side = modules.length + 2 * candidate
    return side <= columns && Math.ceil(side / 2) + otherLines <= rows
  })
  return margin === undefined ? undefined : draw(modules, margin)
}

/** The rows of modules, dark ones true; undefined for a string that is too long. */
function encodeModules(text: string): boolean[][] | undefined {
  const bytes = [...new TextEncoder().encode(text)]
  try {
    return encode(bytes, { ecc: 'L', boostEcc: true, maxVersion: LARGEST_VERSION, border: 0 }).data
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function draw(modules: readonly (readonly boolean[])[], margin: number): string {
  const isDark = (row: number, column: number) => Number(modules[row]?.[column] ?? false)
  let text = ''
  for (let row = -margin; row < modules.length + margin; row += 2) {
    text += INK
    for (let column = -margin; column < modules.length + margin; column++) {
      text += HALF_BLOCKS[2 * isDark(row, column) + isDark(row + 1, column)]
    }
    text += `${RESET}\n`
  }
  return text
}
