import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CompiledRules, type Detection, exportRules } from '@omen/engine'
import type { ScanEvents, ScanSettings } from '../matching/events.js'
import type { Pace } from '../matching/pace.js'
import { createSourceScanner } from '../matching/scan-source.js'
import type { Source } from '../sources/source.js'
import { COUNTERS, createCounters, MAX_WAIT_MS, type SentDetection, type WorkerMessage } from './protocol.js'
import type { WorkerPool } from './worker-pool.js'

/**
 * Scans sources on several threads, including this one: each takes the next free source. The events of one source come in
 * order; the caller puts the sources in order.
 */
export async function scanSources(
  sources: readonly Source[],
  workerPool: WorkerPool,
  rules: CompiledRules,
  settings: ScanSettings,
  events: ScanEvents,
  pace: Pace,
): Promise<void> {
  const counters = createCounters()
  const shared = new Int32Array(counters)
  const progress = new SharedArrayBuffer(16 * sources.length)
  workerPool.begin({ kind: 'sources', sources, settings, rules: exportRules(rules), counters, progress })
  const isElsewhere = new Set<number>()
  const restore = createRestorer(rules)
  const reached = new Float64Array(progress)
  let finished = 0

  const counting: ScanEvents = {
    ...events,
    finished(index, amount) {
      finished++
      isElsewhere.delete(index)
      events.finished(index, amount)
    },
  }

  function take(message: WorkerMessage): void {
    if ('error' in message) throw new Error(message.error)
    const { index } = message
    isElsewhere.add(index)
    if ('found' in message) events.found(index, message.found.map(restore))
    else if ('finished' in message) counting.finished(index, message.finished)
    else if ('problem' in message) events.problem(index, message.problem)
    else if ('warning' in message) events.warn(index, message.warning, message.subject)
  }

  /** Takes what the other threads have sent, and their progress. */
  function listen(): void {
    for (const message of workerPool.receive()) take(message)
    for (const index of isElsewhere) events.advanced(index, reached[2 * index], reached[2 * index + 1])
  }

  const listening: Pace = {
    get stopped() {
      return pace.stopped
    },
    turn() {
      listen()
      return pace.turn()
    },
    unlessStopped: (work) => pace.unlessStopped(work),
  }

  const scanner = createSourceScanner(rules, settings, counting, listening)
  try {
    for (;;) {
      const index = Atomics.add(shared, COUNTERS.next, 1)
      if (index >= sources.length || pace.stopped) break
      await scanner.scan(index, sources[index])
      listen()
    }
    while (finished < sources.length && !pace.stopped) {
      const sent = Atomics.load(shared, COUNTERS.sent)
      listen()
      if (finished < sources.length) Atomics.wait(shared, COUNTERS.sent, sent, MAX_WAIT_MS)
      await nextTurn()
    }
    // If the scan was stopped, what the other threads found so far is still reported.
    listen()
  } finally {
    Atomics.store(shared, COUNTERS.stop, 1)
  }
}

/** Converts what another thread sent to detections. */
function createRestorer(rules: CompiledRules): (sent: SentDetection) => Detection {
  const byId = new Map(rules.rules.map((rule) => [rule.cre.id, rule]))
  return ({ creId, hits }) => {
    const { cre, ruleId, ruleHash } = byId.get(creId)!
    return { cre, ruleId, ruleHash, hits }
  }
}
