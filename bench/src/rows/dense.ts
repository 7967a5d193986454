import { countLines, denseLog, hitTemplates, quietLog } from '../logs.js'
import { run } from '../measure/command.js'
import { compare } from '../measure/timing.js'
import { toPatterns } from '../patterns.js'
import { countMatches, isValidPattern, ripgrep } from '../ripgrep.js'
import { atMost, timeRatio } from '../verdict.js'
import type { Row } from './row.js'
import { scanRules } from './scan.js'

/** Every line a detection, against a log of the same size in which hardly any is. */
export const denseRow: Row = {
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
    const judge = ripgrep(bench.materials.text('alone.txt', `${patterns.join('\n')}\n`), log)
    yield {
      row: 'dense',
      work: `${rules.title}, every line a detection`,
      subject: dense!,
      opponent: quiet!,
      bytes: options.size,
      measured: timeRatio(dense!, quiet!),
      goal: atMost(6),
      notes: [
        `rg finds ${countMatches(judge)} of ${countLines(log)} lines; ${hitTemplates(rules).length} rules take part`,
      ],
    }
  },
}
