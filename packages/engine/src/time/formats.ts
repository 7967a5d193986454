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
/** Many rows share their layouts: those of keys. */
const operations = new Map<FormatRow['layout'], readonly number[]>()

/** The time program of a format, compiled at the first call. */
export function programOf(row: FormatRow): Uint8Array {
  let program = programs.get(row)
  if (!program) {
    program = locate(row.at, operationsOf(row.layout))
    programs.set(row, program)
  }
  return program
}

function operationsOf(layout: FormatRow['layout']): readonly number[] {
  let compiled = operations.get(layout)
  if (!compiled) {
    compiled = compileAlternatives(typeof layout === 'string' ? [layout] : layout)
    operations.set(layout, compiled)
  }
  return compiled
}
