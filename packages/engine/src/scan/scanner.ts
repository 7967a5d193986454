import type { Condition } from '../terms/condition.js'
import { decodeText } from './batch-entry.js'
import { type CandidateTable, tabulateCandidates } from './candidates.js'
import { type ConditionTest, createDecider, type Decider } from './decide.js'
import { createFilter, type Filter } from './filter/filter.js'
import type { Kernel } from './kernel/kernel.js'
import type { KernelMemory } from './kernel/memory.js'
import { type MatchBatch, MatchCollector } from './match-batch.js'
import type { EntryBatch } from './reading/reader.js'

/** Finds the entries of a batch that meet conditions. */
export interface Scanner {
  /** The result is valid until the next call, except `text`, which is a copy. */
  scan(batch: EntryBatch): MatchBatch
}

/** The part of the first batch that is used as a sample; more would give little more information. */
const SAMPLE_BYTES = 256 * 1024

/** Creates a scanner for conditions. Its tables are built from the first batch, as a sample of what is common in the input. */
export function createScanner(
  kernel: Kernel,
  conditions: readonly Condition[],
  test: (condition: number) => ConditionTest,
): Scanner {
  const { memory } = kernel
  const collector = new MatchCollector()
  const decode = (start: number, end: number) => decodeText(memory.u8, start, end)
  let ready: { table: CandidateTable; filter: Filter; decider: Decider } | undefined

  function prepare(batch: EntryBatch) {
    const sample = memory.u8.slice(batch.textFrom, Math.min(batch.textTo, batch.textFrom + SAMPLE_BYTES))
    const table = tabulateCandidates(conditions, sample)
    const filter = createFilter(kernel, table.needles, { sample })
    return { table, filter, decider: createDecider(conditions, table, filter, test, decode) }
  }

  function decideEntry(decider: Decider, batch: EntryBatch, entry: number): void {
    const count = decider.finish()
    if (count === 0) return
    collector.add(entry, batch.line[entry], batch.textStart[entry], batch.textEnd[entry], decider.met, count)
  }

  /** Decides only the entries in which a needle was found. */
  function scanFound(filter: Filter, decider: Decider, batch: EntryBatch): void {
    let current = -1
    const { count, textStart, textEnd } = batch
    filter.run(batch.textFrom, batch.textTo, count, textStart.byteOffset, textEnd.byteOffset, (address, pairs) => {
      const { u32 } = memory
      for (let i = address >> 2, end = i + 2 * pairs; i < end; i += 2) {
        const entry = u32[i]
        if (entry !== current) {
          if (current >= 0) decideEntry(decider, batch, current)
          current = entry
          decider.begin(textStart[entry], textEnd[entry])
        }
        decider.found(u32[i + 1])
      }
    })
    if (current >= 0) decideEntry(decider, batch, current)
  }

  /** Decides every entry, because some condition has no needles. */
  function scanAll(filter: Filter, decider: Decider, batch: EntryBatch): void {
    let next = 0
    const { count, textStart, textEnd } = batch
    const open = () => decider.begin(textStart[next], textEnd[next])
    if (count > 0) open()
    const advanceTo = (entry: number) => {
      while (next < entry) {
        decideEntry(decider, batch, next++)
        if (next < count) open()
      }
    }
    filter.run(batch.textFrom, batch.textTo, count, textStart.byteOffset, textEnd.byteOffset, (address, pairs) => {
      const { u32 } = memory
      for (let i = address >> 2, end = i + 2 * pairs; i < end; i += 2) {
        advanceTo(u32[i])
        decider.found(u32[i + 1])
      }
    })
    advanceTo(count)
  }

  return {
    scan(batch) {
      collector.clear()
      if (conditions.length === 0) return takeBatch(collector, batch, memory.u8)
      const current = ready ? batch : withFreshViews(batch, memory, () => (ready = prepare(batch)))
      const { table, filter, decider } = ready!
      if (table.always.length > 0) scanAll(filter, decider, current)
      else scanFound(filter, decider, current)
      return takeBatch(collector, current, memory.u8)
    },
  }
}

/** Calls `work`, which may grow the memory and so detach all its views; returns the batch with new views. */
function withFreshViews(batch: EntryBatch, memory: KernelMemory, work: () => void): EntryBatch {
  const { count, textFrom, textTo } = batch
  const { textStart, textEnd, line, timestamp, flags } = batch
  const at = [textStart, textEnd, line, timestamp, flags].map((view) => view.byteOffset)
  work()
  const { buffer } = memory.memory
  return {
    count,
    textFrom,
    textTo,
    textStart: new Uint32Array(buffer, at[0], count),
    textEnd: new Uint32Array(buffer, at[1], count),
    line: new Uint32Array(buffer, at[2], count),
    timestamp: new BigInt64Array(buffer, at[3], count),
    flags: new Uint8Array(buffer, at[4], count),
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
