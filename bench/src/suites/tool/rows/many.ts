import { wordRules } from '../../../generate/phrases.js'
import { run } from '../../../harness/command.js'
import { compare } from '../../../harness/timing.js'
import { atMost, timeRatio } from '../../../harness/verdict.js'
import { quietLog } from '../logs.js'
import type { ToolRow } from '../stage.js'
import { scan } from '../subject.js'

const FEW = 100
const MORE = [
  { count: 1000, goal: atMost(1.3) },
  { count: 5000, goal: atMost(2) },
]

/** Ten and fifty times as many rules, each from the cache. */
export const manyRow: ToolRow = {
  name: 'many',
  about: '1,000 and 5,000 rules made from a word list, against 100',
  async *run(bench) {
    const log = quietLog(bench, bench.options.size)
    const commands = [FEW, ...MORE.map(({ count }) => count)].map((count) => {
      const rules = bench.materials.text(`words-${count}.yaml`, wordRules(count))
      return scan(bench.subject, { name: `omen, ${count} rules`, rules, log, threads: 1, config: bench.scratch })
    })
    for (const command of commands) run(command)
    const [few, ...more] = await compare(commands, bench.options.runs)
    for (const [i, { count, goal }] of MORE.entries()) {
      yield {
        row: 'many',
        work: `${count} word-list rules`,
        subject: more[i]!,
        opponent: few!,
        bytes: bench.options.size,
        measured: timeRatio(more[i]!, few!),
        goal,
        notes: [],
      }
    }
  },
}
