import { compileAlternatives, compileLayout } from './layout.js'
import { locate, OP, UNIT } from './program.js'

const RFC3339 = '2006-01-02{[Tt ]}15:04:05{frac}{rfc3339zone}'

const epoch = (unit: number) => () => [OP.epoch, unit, 0, OP.match]

/** The formats that a configuration can name. They are compiled when used: most runs use none. */
const NAMED: Readonly<Record<string, () => readonly number[]>> = {
  rfc3339: () => compileAlternatives([RFC3339]),
  rfc3339nano: () => compileAlternatives([RFC3339]),
  unix: epoch(UNIT.seconds),
  dotnotation: epoch(UNIT.seconds),
  epochany: epoch(UNIT.any),
  epochseconds: epoch(UNIT.seconds),
  epochmillis: epoch(UNIT.millis),
  epochmicros: epoch(UNIT.micros),
  epochnanos: epoch(UNIT.nanos),
}

/** Every element of a Go layout that is part of a time contains one of these. */
const PART_OF_TIME = /[1-6]|Jan/

/**
 * Compiles the `format` of a configured timestamp: one of the names above, or a Go reference layout. It throws for a string
 * that is neither, because a layout without any part of a time never matches.
 *
 * ```ts
 * compileTimeFormat('2006-01-02 15:04:05,000')
 * ```
 */
export function compileTimeFormat(format: string): Uint8Array {
  const named = NAMED[format.toLowerCase()]
  if (named) return locate('start', named())
  const operations = compileLayout(format)
  if (!PART_OF_TIME.test(format)) {
    const names = Object.keys(NAMED).join(', ')
    throw new Error(
      `${JSON.stringify(format)} is not a time format: write a layout like 2006-01-02 15:04:05, or one of ${names}`,
    )
  }
  return locate('start', [...operations, OP.match])
}
