import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, run } from '../../../harness/command.js'
import { compare } from '../../../harness/timing.js'
import { atMost, timeRatio } from '../../../harness/verdict.js'
import type { ToolRow } from '../stage.js'
import { scan } from '../subject.js'

const CHILD = fileURLToPath(new URL('../children/compile.js', import.meta.url))

/** The tool on an empty log: what is left is its start and the rules. */
export const compileRow: ToolRow = {
  name: 'compile',
  about: 'compiling all rules, first time and from the cache, against node -e 0',
  async *run(bench) {
    const rules = bench.materials.text('rules.yaml', bench.rules.corpus.text)
    const log = join(bench.scratch, 'empty.log')
    writeFileSync(log, '')
    const cold = join(bench.scratch, 'cold')
    const first: Command = {
      ...scan(bench.subject, { rules, log, threads: 1, config: cold }),
      before: () => rmSync(cold, { recursive: true, force: true }),
    }
    const cached = scan(bench.subject, { rules, log, threads: 1, config: bench.scratch })
    const bare: Command = { name: 'node -e 0', program: process.execPath, args: ['-e', '0'], node: true }
    run(cached)
    const [ours, again, node] = await compare([first, cached, bare], bench.options.runs)
    const inside = run({ name: 'compile', program: process.execPath, args: [CHILD, rules] }).output.trim()
    const shared = { row: 'compile', opponent: node!, bytes: null }
    const firstGoal = { measured: timeRatio(ours!, node!), goal: atMost(5) }
    const cachedGoal = { measured: timeRatio(again!, node!), goal: atMost(1.3) }
    const { title } = bench.rules
    yield { ...shared, ...firstGoal, work: `${title}, first time`, subject: ours!, notes: [inside] }
    yield { ...shared, ...cachedGoal, work: `${title}, from the cache`, subject: again!, notes: [] }
  },
}
