import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, run } from '../../../harness/command.js'
import { compare } from '../../../harness/timing.js'
import { atMost, timeRatio } from '../../../harness/verdict.js'
import type { ToolRow, ToolStage } from '../stage.js'
import { findSingleFile, type Subject, scanNothing, showVersion } from '../subject.js'

/** A start is short, so it takes more runs than a scan to find an undisturbed one. */
const TIMES_AS_MANY_RUNS = 5

const GOAL = atMost(1.5)

/** The time before anything is read. */
export const startRow: ToolRow = {
  name: 'start',
  about: 'the version, and an empty log with the bundled rules, against node -e 0',
  async *run(bench) {
    const works = startsOf(bench)
    const bare: Command = { name: 'node -e 0', program: process.execPath, args: ['-e', '0'], node: true }
    // The first run compiles, and keeps what it compiled.
    for (const { command } of works) run(command)
    const commands = [...works.map(({ command }) => command), bare]
    const figures = await compare(commands, TIMES_AS_MANY_RUNS * bench.options.runs)
    const node = figures.at(-1)!
    const shared = { row: 'start', opponent: node, bytes: null, goal: GOAL }
    for (const [i, { work, notes }] of works.entries()) {
      const subject = figures[i]!
      yield { ...shared, work, subject, measured: timeRatio(subject, node), notes }
    }
  },
}

interface Start {
  readonly work: string
  readonly command: Command
  readonly notes: readonly string[]
}

/** The tool in Node.js, and as a single-file executable where there is one of this build. */
function startsOf({ subject, scratch }: ToolStage): Start[] {
  const log = join(scratch, 'nothing.log')
  writeFileSync(log, '')
  const starts = (form: string, of: Subject, notes: readonly string[]): Start[] => [
    { work: `omen -v${form}`, command: showVersion(of, scratch), notes: [] },
    { work: `an empty log, bundled rules${form}`, command: scanNothing(of, log, scratch), notes },
  ]
  const singleFile = findSingleFile(subject)
  if (!singleFile) return starts('', subject, ['no single-file executable of this build: npm run package'])
  return [...starts('', subject, []), ...starts(', single-file executable', singleFile, [])]
}
