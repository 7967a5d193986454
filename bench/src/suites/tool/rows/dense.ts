import { run } from '../../../harness/command.js'
import { compare } from '../../../harness/timing.js'
import { atMost, timeRatio } from '../../../harness/verdict.js'
import { countLines, denseLog, hitTemplates, quietLog } from '../logs.js'
import { toPatterns } from '../patterns.js'
import { countMatches, isValidPattern, ripgrep } from '../ripgrep.js'
import type { ToolRow } from '../stage.js'
import { scanRules } from './scan.js'

/** Every line a detection, against a log of the same size in which hardly any is. */
export const denseRow: ToolRow = {
  name: 'dense',
  about: 'a log in which every line is a detection, against the quiet log',
  async *run(bench) {
    const { options, rules } = bench
    const log = denseLog(bench, options.size)
    const commands = [
      scanRules(bench, log, 1),
      { ...scanRules(bench, quietLog(bench, options.size), 1), name: 'omen, quiet log' },
    ]
    run(commands[0]!)
    const [dense, quiet] = await compare(commands, options.runs)
    const { patterns } = toPatterns(rules.corpus.alone, isValidPattern)
    const matcher = ripgrep(bench.materials.text('alone.txt', `${patterns.join('\n')}\n`), log)
    yield {
      row: 'dense',
      work: `${rules.title}, every line a detection`,
      subject: dense!,
      opponent: quiet!,
      bytes: options.size,
      measured: timeRatio(dense!, quiet!),
      goal: atMost(6),
      notes: [
        `rg finds ${countMatches(matcher)} of ${countLines(log)} lines; ${hitTemplates(rules).length} rules take part`,
      ],
    }
  },
}
