import type { Command } from '../../../harness/command.js'
import { peakMemory } from '../../../harness/memory.js'
import { showSize } from '../../../harness/options.js'
import { quietLog } from '../logs.js'
import type { ToolRow } from '../stage.js'
import { scan } from '../subject.js'

/** Repeats a file ($0) several times ($1) through a pipe into the rest of the command. */
const REPEAT = 'n=$1; shift; i=0; while [ "$i" -lt "$n" ]; do cat "$0" || exit; i=$((i + 1)); done | "$@"'

/** A long log through a pipe. */
export const memoryRow: ToolRow = {
  name: 'memory',
  about: 'peak memory while a long log goes through a pipe',
  async *run(bench) {
    const { options, materials, subject, rules, scratch } = bench
    const log = quietLog(bench, options.size)
    const times = Math.ceil(options.pipe / options.size)
    const reader = scan(subject, {
      rules: materials.text('rules.yaml', rules.corpus.text),
      threads: 1,
      config: scratch,
    })
    const args = ['-c', REPEAT, log, String(times), reader.program, ...reader.args]
    const piped: Command = { ...reader, program: 'sh', args }
    const start = process.hrtime.bigint()
    const peak = await peakMemory(piped)
    const seconds = Number(process.hrtime.bigint() - start) / 1e9
    yield {
      row: 'memory',
      work: `${rules.title}, ${showSize(options.size * times)} through a pipe`,
      subject: { name: 'omen', seconds, all: [seconds], peak, output: '' },
      opponent: null,
      bytes: options.size * times,
      measured: peak! / 2 ** 20,
      goal: { kind: 'under', value: 150, unit: 'MiB' },
      notes: [],
    }
  },
}
