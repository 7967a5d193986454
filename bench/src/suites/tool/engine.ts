import { compileRules, createDetector, detect, exportRules, importRules } from '@omen/engine'

/**
 * The engine under test, for the rows that the tool's command line has no form for: everything that the benchmark knows
 * about the library is in this file. Only children import it, so that a bench without an engine still starts.
 */
type Chunks = Uint8Array | Iterable<Uint8Array>

/** Layouts without a year take the one nearest to this: a day after the generated logs begin. */
const NOW = new Date('2026-03-02T00:00:00Z')

/** Fills room with the next bytes of the data and returns their number, 0 at the end. */
export type Fill = (space: Uint8Array) => number

/**
 * Reads every entry with its timestamp and returns how many there were. A detector without rules does just that; unlike
 * `readEntries` it does not make a text of every entry, which is what a scan with rules would not do either.
 */
export async function countEntries(fill: Fill): Promise<number> {
  const detector = createDetector(await compileRules([]), { now: NOW })
  for (let bytes = fill(detector.space()); bytes > 0; bytes = fill(detector.space())) detector.commit(bytes)
  detector.end()
  return detector.progress.entries
}

/** Scans with the rules of one document, and returns how many detections there were. */
export async function prepareDetecting(document: string): Promise<(chunks: Chunks) => Promise<number>> {
  const rules = await compileRules([{ name: 'bench.yaml', text: document }])
  return async (chunks) => {
    let count = 0
    for await (const _ of detect(rules, chunks, { source: '*', now: NOW })) count++
    return count
  }
}

/** Compiles a document, and returns what restores the result without compiling. */
export async function compileDocument(text: string): Promise<() => Promise<unknown>> {
  const exported = await exportRules(await compileRules([{ name: 'bench.yaml', text }]))
  return async () => importRules(exported)
}
