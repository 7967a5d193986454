import type { Writable } from 'node:stream'
import type { ReportedProblem } from '@omen/engine'
import { type ReportTarget, reportFileFor } from './output-plan.js'
import { type WriteOptions, writeFileAtomically, writeNewFile } from './write-file.js'
import { writeToStream } from './write-stream.js'

/**
 * Writes the report to its target, and returns the name of the written file; undefined if there is none.
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

/** A problem whose hits are iterated, because they may not fit into memory. */
export interface SerializableProblem extends Omit<ReportedProblem, 'hits'> {
  readonly hits: Iterable<ReportedProblem['hits'][number]>
}

/** The approximate length of a piece: large enough to be fast, small enough for memory. */
const PIECE = 64 * 1024

/**
 * Yields a report as JSON in pieces. Joined, they equal `JSON.stringify(problems, null, 2)` and a line feed, but a report with a
 * million hits is never a single string.
 *
 * @example
 * [...serializeReport([])].join('')   // '[]\n'
 */
export function* serializeReport(problems: Iterable<SerializableProblem>): Generator<string, void, undefined> {
  let piece = '['
  let isFirst = true
  for (const problem of problems) {
    piece += isFirst ? '\n  ' : ',\n  '
    isFirst = false
    for (const part of serializeProblem(problem)) {
      piece += part
      if (piece.length < PIECE) continue
      yield piece
      piece = ''
    }
  }
  yield `${piece}${isFirst ? '' : '\n'}]\n`
}

function* serializeProblem(problem: SerializableProblem): Generator<string, void, undefined> {
  let opening = '{\n    '
  for (const [key, value] of Object.entries(problem)) {
    if (value === undefined) continue
    yield `${opening}${JSON.stringify(key)}: `
    if (key === 'hits') yield* serializeHits(problem.hits)
    else yield indent(JSON.stringify(value, null, 2), '    ')
    opening = ',\n    '
  }
  yield '\n  }'
}

function* serializeHits(hits: SerializableProblem['hits']): Generator<string, void, undefined> {
  let isFirst = true
  for (const hit of hits) {
    yield `${isFirst ? '[' : ','}\n      ${indent(JSON.stringify(hit, null, 2), '      ')}`
    isFirst = false
  }
  yield isFirst ? '[]' : '\n    ]'
}

/** Line feeds in JSON are only layout: inside strings they are escaped. */
function indent(json: string, margin: string): string {
  return json.replaceAll('\n', `\n${margin}`)
}
