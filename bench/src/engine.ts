import { compileRules, detect, exportRules, importRules, readEntries } from '@omen/engine'

/**
 * The engine under test, for the rows that the tool's command line has no form for: everything that the benchmark knows
 * about the library stands in this file. Only children import it, so that a bench without an engine still starts.
 */
type Chunks = Uint8Array | Iterable<Uint8Array>

/** Layouts without a year take the one nearest to this: a day after the generated logs begin. */
const NOW = new Date('2026-03-02T00:00:00Z')

/** Reads every entry with its timestamp, matches nothing, and returns how many there were. */
export async function countEntries(chunks: Chunks): Promise<number> {
  let count = 0
  for await (const _ of readEntries(chunks, { now: NOW })) count++
  return count
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
