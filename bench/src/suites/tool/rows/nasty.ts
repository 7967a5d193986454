import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atMost } from '../../../harness/verdict.js'
import type { NastyFigure } from '../children/nasty.js'
import { NASTY_CASES } from '../nasty-cases.js'
import type { ToolResult, ToolRow } from '../stage.js'

const CHILD = fileURLToPath(new URL('../children/nasty.js', import.meta.url))

/** Far more than a linear program needs for all lengths; a quadratic one would need hours. */
const PATIENCE_MS = 60_000

/** Twice the time a byte is allowed for caches and collections; each step of ten in length would be ten if it were not linear. */
const GOAL = atMost(2)

/** Nasty patterns on ever longer lines: the time per byte stays the same. */
export const nastyRow: ToolRow = {
  name: 'nasty',
  about: 'nasty patterns on long lines: time per byte, against short lines',
  async *run({ options }) {
    for (const [index, { name }] of NASTY_CASES.entries()) yield measuredResult(name, measure(index, options.runs))
  },
}

interface Measurement {
  readonly figures: readonly NastyFigure[]
  readonly timedOut: boolean
}

function measure(index: number, runs: number): Measurement {
  const child = spawnSync(process.execPath, [CHILD, String(index), String(runs)], {
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  const timedOut = child.signal === 'SIGKILL'
  if (!timedOut && child.status !== 0) throw new Error(child.stderr.trim().slice(0, 500))
  const lines = child.stdout.split('\n').filter((line) => line.endsWith('}'))
  return { figures: lines.map((line) => JSON.parse(line) as NastyFigure), timedOut }
}

function measuredResult(name: string, { figures, timedOut }: Measurement): ToolResult {
  const perByte = figures.map(({ bytes, seconds }) => seconds / bytes)
  const last = figures.at(-1)
  const all = figures.map(({ seconds }) => seconds)
  return {
    row: 'nasty',
    work: name,
    subject: last ? { name: 'omen', seconds: last.seconds, all, peak: null, output: '' } : null,
    opponent: null,
    bytes: last?.bytes ?? null,
    measured: timedOut ? Number.POSITIVE_INFINITY : Math.max(...perByte) / perByte[0]!,
    goal: GOAL,
    notes: [
      figures.map(({ length, bytes, seconds }) => `${length / 1000} kB lines ${speed(bytes, seconds)}`).join(', '),
      ...(timedOut ? [`no answer within ${PATIENCE_MS / 1000} s at the next length`] : []),
    ].filter((note) => note !== ''),
  }
}

const speed = (bytes: number, seconds: number) => `${(Math.floor(bytes / 1e5 / seconds) / 10).toFixed(1)} MB/s`
