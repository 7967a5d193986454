import type { Writable } from 'node:stream'
import { type ReportTarget, reportFileFor } from './output-plan.js'
import { type SerializableProblem, serializeReport } from './serialize-report.js'
import { type WriteOptions, writeFileAtomically, writeNewFile } from './write-file.js'
import { writeToStream } from './write-stream.js'

export { type SerializableProblem, serializeReport } from './serialize-report.js'
export { type WriteOptions, writeFileAtomically, writeNewFile } from './write-file.js'
export { writeToStream } from './write-stream.js'

/**
 * Writes the report where the plan wants it, and returns the name of the file that was written, for `Wrote report to …`;
 * undefined when there is none.
 *
 * @example
 * const name = await writeReport(plan.report, problems)
 */
export async function writeReport(
  target: ReportTarget,
  problems: Iterable<SerializableProblem>,
  options: Pick<WriteOptions, 'signal'> & { readonly stdout?: Writable } = {},
): Promise<string | undefined> {
  if (target.kind === 'none') return undefined
  const pieces = serializeReport(problems)
  if (target.kind === 'stdout') {
    await writeToStream(options.stdout ?? process.stdout, pieces)
    return undefined
  }
  if (target.kind === 'default') {
    return writeNewFile((attempt) => reportFileFor(target.epochSeconds, attempt), pieces)
  }
  await writeFileAtomically(target.path, pieces, options)
  return target.path
}
