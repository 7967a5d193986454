import type { Condition } from '../terms/condition.js'
import { decodeText } from './batch-entry.js'
import { type CandidateTable, tabulateCandidates } from './candidates.js'
import type { ConditionTest } from './condition-tests.js'
import { createDecider, type Decider } from './decide.js'
import { DerivedMessages } from './envelopes/derived.js'
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
  /** For each needle, 1 if it is a mark. */
  readonly isMark: Uint8Array
}

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
  const messagePairs = new FoundPairs()
  const messages = new DerivedMessages(memory)
  const decode = (start: number, end: number) => decodeText(memory.u8, start, end)
  let tables: Tables | undefined

  function prepare(batch: EntryBatch, escapes: boolean): Tables {
    const sample = memory.u8.slice(batch.textFrom, Math.min(batch.textTo, batch.textFrom + SAMPLE_BYTES))
    const table = tabulateCandidates(conditions, sample, escapes)
    const filter = createFilter(kernel, table.needles, { sample })
    const isMark = new Uint8Array(table.needles.length)
    for (const needle of table.marks) isMark[needle] = 1
    return { escapes, table, filter, isMark, decider: createDecider(conditions, table, filter, test, decode) }
  }

  /** Searches the texts of all entries. */
  function searchTexts(filter: Filter, batch: EntryBatch): void {
    const { count, textFrom, textTo, textStart, textEnd } = batch
    pairs.clear()
    filter.run(textFrom, textTo, count, textStart.byteOffset, textEnd.byteOffset, (address, found) =>
      pairs.take(memory.u32, address, found),
    )
  }

  /** Finds the messages of the entries that contain a mark; returns whether there are any. */
  function deriveMessages(isMark: Uint8Array, batch: EntryBatch): boolean {
    messages.clear()
    let last = -1
    for (let i = 0; i < pairs.length; i++) {
      const entry = pairs.entry(i)
      if (isMark[pairs.needle(i)] === 0 || entry === last) continue
      messages.add(entry, decode(batch.textStart[entry], batch.textEnd[entry]))
      last = entry
    }
    return messages.size > 0
  }

  function searchMessages(filter: Filter): void {
    const { count, starts, ends } = messages
    const run = (address: number, found: number) => messagePairs.take(memory.u32, address, found)
    filter.run(messages.start(0), messages.end(count - 1), count, starts, ends, run)
  }

  /** Decides the entries in which a needle was found, or all entries if a condition has no needles. */
  function decide({ decider, table }: Tables, batch: EntryBatch): void {
    const { count, textStart, textEnd, line } = batch
    const isEvery = table.always.length > 0
    let pair = 0
    let messagePair = 0
    const ofMessage = () =>
      messagePair < messagePairs.length ? messages.entry(messagePairs.entry(messagePair)) : count
    for (let entry = 0; ; entry++) {
      if (!isEvery) entry = Math.min(pairs.entry(pair), ofMessage())
      if (entry >= count) return
      decider.begin(textStart[entry], textEnd[entry])
      for (; pairs.entry(pair) === entry; pair++) decider.found(pairs.needle(pair))
      for (; ofMessage() === entry; messagePair++) {
        const message = messagePairs.entry(messagePair)
        decider.beginMessage(messages.start(message), messages.end(message))
        decider.found(messagePairs.needle(messagePair))
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
      messagePairs.clear()
      if (deriveMessages(tables.isMark, views())) {
        messages.store()
        searchMessages(tables.filter)
      }
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
