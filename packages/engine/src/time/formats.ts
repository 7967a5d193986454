import { ANYWHERE } from './formats/anywhere.js'
import { DATES } from './formats/dates.js'
import { KEYS } from './formats/keys.js'
import { NAMES } from './formats/names.js'
import { PROGRAMS } from './formats/programs.js'
import type { FormatRow } from './formats/row.js'
import { compileAlternatives } from './layout.js'
import { locate } from './program.js'

export { EXAMPLE_NOW, type FormatRow, RANK } from './formats/row.js'

/** Every format that is known without configuration. Of equally good ones the first one wins. */
export const FORMATS: readonly FormatRow[] = [...DATES, ...NAMES, ...PROGRAMS, ...KEYS, ...ANYWHERE]

const programs = new Map<FormatRow, Uint8Array>()

/** The time program of a format, compiled at the first call. */
export function programOf(row: FormatRow): Uint8Array {
  let program = programs.get(row)
  if (!program) {
    const layouts = typeof row.layout === 'string' ? [row.layout] : row.layout
    program = locate(row.at, compileAlternatives(layouts))
    programs.set(row, program)
  }
  return program
}
