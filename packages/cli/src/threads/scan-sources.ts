import { setImmediate as otherWork } from 'node:timers/promises'
import { type CompiledRules, type Detection, exportRules } from '@omen/engine'
import type { ScanEvents, ScanSettings } from '../matching/events.js'
import type { Pace } from '../matching/pace.js'
import { createSourceScanner } from '../matching/scan-source.js'
import type { Source } from '../sources/source.js'
import type { Crew } from './crew.js'
import { COUNTERS, createCounters, LONGEST_WAIT_MS, type SentDetection, type WorkerMessage } from './protocol.js'

/**
 * Scans sources on several threads, this one included: each takes the next source that nobody has. What is told of a source
 * comes in its order; the caller puts the sources in theirs.
 */
export async function scanSources(
  sources: readonly Source[],
  crew: Crew,
  rules: CompiledRules,
  settings: ScanSettings,
  events: ScanEvents,
  pace: Pace,
): Promise<void> {
  const counters = createCounters()
  const shared = new Int32Array(counters)
  const progress = new SharedArrayBuffer(16 * sources.length)
  crew.begin({ kind: 'sources', sources, settings, rules: exportRules(rules), counters, progress })
  const isElsewhere = new Set<number>()
  const restore = createRestorer(rules)
  const far = new Float64Array(progress)
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
    else if ('warning' in message) events.warn(index, message.warning)
  }

  /** What the others have sent, and how far they are. */
  function listen(): void {
    for (const message of crew.receive()) take(message)
    for (const index of isElsewhere) events.advanced(index, far[2 * index], far[2 * index + 1])
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
      if (finished < sources.length) Atomics.wait(shared, COUNTERS.sent, sent, LONGEST_WAIT_MS)
      await otherWork()
    }
    // When the scan was stopped, what the others found up to here is still told.
    listen()
  } finally {
    Atomics.store(shared, COUNTERS.stop, 1)
  }
}

/** Makes detections of what came from another thread. */
function createRestorer(rules: CompiledRules): (sent: SentDetection) => Detection {
  const byId = new Map(rules.rules.map((rule) => [rule.cre.id, rule]))
  return ({ creId, hits }) => {
    const { cre, ruleId, ruleHash } = byId.get(creId)!
    return { cre, ruleId, ruleHash, hits }
  }
}
