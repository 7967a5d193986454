import { type Command, run } from './command.js'
import { peakMemory } from './memory.js'

/** The measurements of one command. */
export interface Figure {
  readonly name: string
  /** The best of all runs. */
  readonly seconds: number
  readonly all: readonly number[]
  /** Bytes; `null` where the system does not report it. */
  readonly peak: number | null
  /** What the last run printed. */
  readonly output: string
}

/**
 * Runs the commands in turn (A B A B …) and keeps the best time of each: on a machine with other work a slow period then
 * affects all of them, and the best run is the least disturbed one. The peak memory is that of one more run,
 * because measuring it takes time.
 */
export async function compare(commands: readonly Command[], runs: number): Promise<Figure[]> {
  const results = commands.map(() => ({ all: [] as number[], output: '' }))
  for (let i = 0; i < runs; i++) {
    commands.forEach((command, c) => {
      const { seconds, output } = run(command)
      results[c]!.all.push(seconds)
      results[c]!.output = output
    })
  }
  const figures: Figure[] = []
  for (const [c, command] of commands.entries()) {
    const { all, output } = results[c]!
    figures.push({ name: command.name, seconds: Math.min(...all), all, peak: await peakMemory(command), output })
  }
  return figures
}
