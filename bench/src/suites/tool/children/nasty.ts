/**
 * Scans lines of growing length with one nasty condition, named by its number on the command line, and prints a JSON line
 * for each length as soon as it is measured: when the time is up, what was printed says how far it got.
 */
import { prepareDetecting } from '../engine.js'
import { NASTY_CASES, type NastyCase } from '../nasty-cases.js'

export interface NastyFigure {
  /** Of a line. */
  readonly length: number
  readonly bytes: number
  readonly seconds: number
}

/** The longest stays below 1 MiB, past which the rest of a line is not matched. */
const LENGTHS = [1e3, 1e4, 1e5, 1e6]
/** The same volume at every length, so that the times can be compared. */
const VOLUME = 4e6

function logOf({ text }: NastyCase, length: number): Uint8Array {
  const line = `2026-03-01T12:00:01Z ${text(length)}\n`
  return new TextEncoder().encode(line.repeat(Math.ceil(VOLUME / line.length)))
}

const [index, runs] = process.argv.slice(2).map(Number)
const nasty = NASTY_CASES[index!]!
const set = { event: { source: 'cre.log.bench' }, match: [nasty.term] }
const scan = await prepareDetecting(JSON.stringify({ rules: [{ cre: { id: 'BENCH-NASTY' }, rule: { set } }] }))

for (const length of LENGTHS) {
  const log = logOf(nasty, length)
  let seconds = Number.POSITIVE_INFINITY
  // One run more than counts, for the compiler to warm up.
  for (let i = 0; i <= runs!; i++) {
    const start = performance.now()
    await scan(log)
    if (i > 0) seconds = Math.min(seconds, (performance.now() - start) / 1000)
  }
  const figure: NastyFigure = { length, bytes: log.length, seconds }
  console.log(JSON.stringify(figure))
}
