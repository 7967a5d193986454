import { run } from '../../../harness/command.js'
import { denseLog, quietLog } from '../logs.js'
import { literalRules } from '../patterns.js'
import type { ToolRow } from '../stage.js'
import { countHits, scan } from '../subject.js'

/** Enough for every literal to occur, little enough to search it once for each. */
const SIZE = 10e6

/**
 * Whether the work that the other rows time is done at all: as many hits as ripgrep counts when it searches the logs for
 * one literal after the other.
 */
export const agreementRow: ToolRow = {
  name: 'agreement',
  about: 'the hits of the literal conditions, counted by rg too',
  async *run(bench) {
    const { literals } = bench.rules.patterns
    const rules = bench.materials.text('literals.yaml', literalRules(literals))
    const size = Math.min(SIZE, bench.options.size)
    for (const [kind, log] of [
      ['quiet', quietLog(bench, size)],
      ['dense', denseLog(bench, size)],
    ] as const) {
      const ours = scan(bench.subject, { rules, log, threads: 1, config: bench.scratch, summary: true })
      const theirs = literals.reduce((sum, literal) => sum + countOf(literal, log), 0)
      yield {
        row: 'agreement',
        work: `hits of ${literals.length} literals in the ${kind} log`,
        subject: null,
        opponent: null,
        bytes: null,
        measured: countHits(run(ours).output),
        goal: { kind: 'exactly', value: theirs, unit: 'hits' },
        notes: [],
      }
    }
  },
}

function countOf(literal: string, log: string): number {
  const args = ['--no-config', '-c', '-F', '-e', literal, log]
  return Number(run({ name: 'rg -c -F', program: 'rg', args, accepts: [0, 1] }).output || 0)
}
