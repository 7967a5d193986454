import { LAYOUT_NAMES, type LayoutName, widthOf } from './clock.js'
import type { Random } from './random.js'
import { FIELDS } from './vocabulary.js'

/** A line that can be repeated with other ids and times. */
export interface Line {
  /** Including the line feed. */
  readonly bytes: Uint8Array
  /** The slots that are filled for each line, three numbers each: kind, offset, and number of bytes. */
  readonly slots: readonly number[]
}

/** The kind of a slot; a time is TIME plus the number of its layout. */
export const HEX = 0
export const DIGITS = 1
export const TIME = 2

const UUID = '%{hex:8}-%{hex:4}-4%{hex:3}-a%{hex:3}-%{hex:12}'
const FIELD = /%\{(\w+)(?::([\w-]+))?\}/g

/**
 * Fills in every field that is chosen once per line: `%{service}`, `%{ip}`, `%{number:1-500}` … The slots remain:
 * `%{hex:8}`, `%{digits:5}` and `%{time:milli}`.
 */
export function expand(template: string, random: Random): string {
  return template.replaceAll(FIELD, (whole, name: string, argument: string) => {
    if (name === 'hex' || name === 'digits' || name === 'time') return whole
    if (name === 'uuid') return UUID
    if (name === 'number') return numberText(argument, random)
    const values = FIELDS[name as keyof typeof FIELDS]
    if (!values) throw new Error(`no field is called ${name}`)
    return expand(random.skewed(values), random)
  })
}

function numberText(range: string, random: Random): string {
  const dash = range.indexOf('-')
  const low = Number(range.slice(0, dash))
  return String(low + random.below(Number(range.slice(dash + 1)) - low + 1))
}

/** Turns an expanded template into a line. */
export function compileLine(text: string): Line {
  const slots: number[] = []
  let filled = ''
  let from = 0
  for (const found of text.matchAll(FIELD)) {
    filled += text.slice(from, found.index)
    const [kind, width] = slotOf(found[1]!, found[2]!)
    slots.push(kind, Buffer.byteLength(filled), width)
    filled += '0'.repeat(width)
    from = found.index + found[0].length
  }
  return { bytes: Buffer.from(`${filled}${text.slice(from)}\n`), slots }
}

function slotOf(name: string, argument: string): [kind: number, width: number] {
  if (name === 'hex') return [HEX, Number(argument)]
  if (name === 'digits') return [DIGITS, Number(argument)]
  const layout = LAYOUT_NAMES.indexOf(argument as LayoutName)
  if (name !== 'time' || layout < 0) throw new Error(`no slot is called ${name}:${argument}`)
  return [TIME + layout, widthOf(layout)]
}
