import type { Condition } from '../terms/condition.js'
import { decodeText } from './batch-entry.js'
import { type CandidateTable, tabulateCandidates } from './candidates.js'
import type { ConditionTest } from './condition-tests.js'
import { createDecider, type Decider } from './decide.js'
import { DerivedTexts } from './envelopes/derived.js'
import { createFilter, type Filter } from './filter/filter.js'
import { FoundPairs } from './found-pairs.js'
import type { Kernel } from './kernel/kernel.js'
import type { KernelMemory } from './kernel/memory.js'
import { ENTRY_FLAG } from './kernel/reading-layout.js'
import { type MatchBatch, MatchCollector } from './match-batch.js'
import type { EntryBatch } from './reading/reader.js'

/** Finds the entries of a batch that meet conditions. */
export interface Scanner {
  /** The result is valid until the next call, except `text`, which is a copy. */
  scan(batch: EntryBatch): MatchBatch
}

/** The part of the first batch that is used as a sample; more would give little more information. */
const SAMPLE_BYTES = 256 * 1024

/** The tables for the conditions. */
interface Tables {
  /** Whether they are for texts with backslashes too. */
  readonly escapes: boolean
  readonly table: CandidateTable
  readonly filter: Filter
  readonly decider: Decider
  /** For each needle one of MARK. */
  readonly marks: Uint8Array
}

/** What a needle announces, as bits: a message in a JSON string, or as an array of bytes. */
const MARK = { escapes: 1, bytes: 2 } as const

/**
 * Creates a scanner for conditions. Its tables are built from the first batch, as a sample of what is common in the input,
 * and once more when the first backslash is read.
 */
export function createScanner(
  kernel: Kernel,
  conditions: readonly Condition[],
  test: (condition: number) => ConditionTest,
): Scanner {
  const { memory } = kernel
  const collector = new MatchCollector()
  const pairs = new FoundPairs()
  const derivedPairs = new FoundPairs()
  const derived = new DerivedTexts(kernel)
  const decode = (start: number, end: number) => decodeText(memory.u8, start, end)
  let tables: Tables | undefined

  function prepare(batch: EntryBatch, escapes: boolean): Tables {
    const sample = memory.u8.slice(batch.textFrom, Math.min(batch.textTo, batch.textFrom + SAMPLE_BYTES))
    const table = tabulateCandidates(conditions, sample, escapes)
    const filter = createFilter(kernel, table.needles, { sample })
    const marks = new Uint8Array(table.needles.length)
    for (const needle of table.escapeMarks) marks[needle] = MARK.escapes
    for (const needle of table.bytesMarks) marks[needle] = MARK.bytes
    return { escapes, table, filter, marks, decider: createDecider(conditions, table, filter, test, decode) }
  }

  /** Searches the texts of all entries. */
  function searchTexts(filter: Filter, batch: EntryBatch): void {
    const { count, textFrom, textTo, textStart, textEnd } = batch
    pairs.clear()
    filter.run(textFrom, textTo, count, textStart.byteOffset, textEnd.byteOffset, (address, found) =>
      pairs.take(memory.u32, address, found),
    )
  }

  /** Derives texts from the entries that contain a mark, and searches them. */
  function searchDerived({ filter, marks }: Tables, { textStart, textEnd }: EntryBatch): void {
    derived.clear()
    derivedPairs.clear()
    for (let i = 0; i < pairs.length; ) {
      const entry = pairs.entry(i)
      let found = 0
      for (; pairs.entry(i) === entry; i++) found |= marks[pairs.needle(i)]
      if ((found & MARK.escapes) !== 0) derived.addDecoded(entry, textStart[entry], textEnd[entry])
      if ((found & MARK.bytes) !== 0) derived.addMessages(entry, decode(textStart[entry], textEnd[entry]))
    }
    if (derived.isEmpty) return
    derived.store()
    const { count, starts, ends } = derived
    if (count === 0) return
    filter.run(derived.start(0), derived.end(count - 1), count, starts, ends, (address, found) =>
      derivedPairs.take(memory.u32, address, found),
    )
  }

  /** Decides the entries in which a needle was found, or all entries if a condition has no needles. */
  function decide({ decider, table, marks }: Tables, batch: EntryBatch): void {
    const { count, textStart, textEnd, line } = batch
    const isEvery = table.always.length > 0
    let pair = 0
    let derivedPair = 0
    const ofDerived = () => (derivedPair < derivedPairs.length ? derived.entry(derivedPairs.entry(derivedPair)) : count)
    for (let entry = 0; ; entry++) {
      if (!isEvery) entry = Math.min(pairs.entry(pair), ofDerived())
      if (entry >= count) return
      decider.begin(textStart[entry], textEnd[entry])
      for (; pairs.entry(pair) === entry; pair++) decider.found(pairs.needle(pair))
      for (; ofDerived() === entry; derivedPair++) {
        const text = derivedPairs.entry(derivedPair)
        const needle = derivedPairs.needle(derivedPair)
        decider.beginDerived(derived.start(text), derived.end(text))
        decider.found(needle)
        if (marks[needle] === MARK.bytes) decider.testAll()
      }
      const met = decider.finish()
      if (met > 0) collector.add(entry, line[entry], textStart[entry], textEnd[entry], decider.met, met)
    }
  }

  return {
    scan(batch) {
      collector.clear()
      if (conditions.length === 0) return takeBatch(collector, batch, memory.u8)
      const views = renewable(batch, memory)
      if (!tables?.escapes) {
        const escapes = hasBackslash(batch)
        if (!tables || escapes) tables = prepare(batch, escapes)
      }
      searchTexts(tables.filter, views())
      searchDerived(tables, views())
      decide(tables, views())
      return takeBatch(collector, views(), memory.u8)
    },
  }
}

const BACKSLASH = ENTRY_FLAG.backslash

function hasBackslash({ flags }: EntryBatch): boolean {
  return flags.includes(BACKSLASH) || flags.includes(BACKSLASH | ENTRY_FLAG.comma)
}

/** Returns a function that gives a batch, with new views if the memory has grown, which detaches all its views. */
function renewable(batch: EntryBatch, memory: KernelMemory): () => EntryBatch {
  const { count, textFrom, textTo } = batch
  const { textStart, textEnd, line, timestamp, flags } = batch
  const at = [textStart, textEnd, line, timestamp, flags].map((view) => view.byteOffset)
  let { buffer } = memory.memory
  let current = batch
  return () => {
    if (buffer === memory.memory.buffer) return current
    buffer = memory.memory.buffer
    current = {
      count,
      textFrom,
      textTo,
      textStart: new Uint32Array(buffer, at[0], count),
      textEnd: new Uint32Array(buffer, at[1], count),
      line: new Uint32Array(buffer, at[2], count),
      timestamp: new BigInt64Array(buffer, at[3], count),
      flags: new Uint8Array(buffer, at[4], count),
    }
    return current
  }
}

/**
 * Copies the texts of the matches from kernel memory, which the next read overwrites. If at least a quarter of the bytes
 * match, one copy of the whole range is much faster than thousands of small ones.
 */
function takeBatch(collector: MatchCollector, batch: EntryBatch, u8: Uint8Array): MatchBatch {
  const { matches, textStart, textEnd } = collector
  const range = batch.textTo - batch.textFrom
  let text: Uint8Array
  if (collector.textBytes * 4 >= range) {
    text = u8.slice(batch.textFrom, batch.textTo)
    for (let i = 0; i < matches; i++) {
      textStart[i] -= batch.textFrom
      textEnd[i] -= batch.textFrom
    }
  } else {
    text = new Uint8Array(collector.textBytes)
    let at = 0
    for (let i = 0; i < matches; i++) {
      const length = textEnd[i] - textStart[i]
      text.set(u8.subarray(textStart[i], textEnd[i]), at)
      textStart[i] = at
      at += length
      textEnd[i] = at
    }
  }
  const { entry, line, conditionsEnd, conditions } = collector
  return { timestamps: batch.timestamp, matches, entry, line, textStart, textEnd, text, conditionsEnd, conditions }
}
