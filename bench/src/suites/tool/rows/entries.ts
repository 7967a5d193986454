import { fileURLToPath } from 'node:url'
import { FAMILIES, type FamilyName } from '../../../generate/families.js'
import type { Command } from '../../../harness/command.js'
import { compare } from '../../../harness/timing.js'
import { atLeast, speedRatio } from '../../../harness/verdict.js'
import { familyLog } from '../logs.js'
import type { ToolRow } from '../stage.js'

/** Each family's log is read this many times in one run: an eighth of the disk space, and start-up does not dominate. */
const PASSES = 8

const CHILD = fileURLToPath(new URL('../children/entries.js', import.meta.url))

/** The timestamp of every line, no rule. */
export const entriesRow: ToolRow = {
  name: 'entries',
  about: 'reading entries alone, per format family, against wc -l',
  async *run(bench) {
    const size = Math.ceil(bench.options.size / PASSES)
    for (const family of Object.keys(FAMILIES) as FamilyName[]) {
      const paths = Array<string>(PASSES).fill(familyLog(bench, family, size))
      const ours: Command = { name: 'omen', program: process.execPath, args: [CHILD, ...paths], node: true }
      const theirs: Command = { name: 'wc -l', program: 'wc', args: ['-l', ...paths] }
      const [subject, wc] = await compare([ours, theirs], bench.options.runs)
      const lines = /(\d+) total/.exec(wc!.output)?.[1]
      yield {
        row: 'entries',
        work: family,
        subject: subject!,
        opponent: wc!,
        bytes: size * PASSES,
        measured: speedRatio(subject!, wc!),
        goal: atLeast(0.1),
        notes: [`${subject!.output.trim()} entries in ${lines} lines`],
      }
    }
  },
}
