import type { Place } from '../program.js'

/**
 * One format of the table. Of two formats that explain about as many lines the one with the higher rank is taken, because
 * it says more about a line: that it is a container's record, or that the time is where a logger puts it.
 */
export interface FormatRow {
  readonly name: string
  /** A line as programs write it, and its time. Without a year it is read at `EXAMPLE_NOW`. */
  readonly example: string
  readonly expected: string
  readonly at: Place
  /** What the time looks like (see layout.ts), or several ways in which it can look, tried in order. */
  readonly layout: string | readonly string[]
  readonly rank: number
  /** What the layout reads before the time, if a line alone must have it to show the format. */
  readonly lead?: 'level'
  /** The part of the line that is the entry's text; the whole line when absent. */
  readonly text?: 'rest' | 'cri' | 'docker'
}

/** The ranks, highest first. */
export const RANK = {
  /** The configured format. */
  configured: 8,
  container: 7,
  rfc3339: 6,
  start: 5,
  key: 4,
  lesserKey: 3,
  anywhere: 2,
  /** Shapes that other things have too: they must explain a good part of the lines. */
  weak: 1,
} as const

/** When the examples are read. */
export const EXAMPLE_NOW = new Date('2026-04-10T00:00:00Z')

/** The columns of a table: name, example, expected, layout. */
export type Columns = readonly [name: string, example: string, expected: string, layout: string | readonly string[]]

/** Makes rows that share a place and a rank. */
export function rows(at: Place, rank: number, table: readonly Columns[]): FormatRow[] {
  return table.map(([name, example, expected, layout]) => ({ name, example, expected, at, layout, rank }))
}
