import { openSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { buffersOf, createSegmentScanner, importRules } from '@omen/engine'
import { COUNTERS, MOST_AHEAD, type WorkerMessage, type WorkerTask } from './protocol.js'
import { SEGMENT_BYTES, scanSegment } from './segments.js'

const { path, size, format, now, rules, counters, port }: WorkerTask = workerData
const shared = new Int32Array(counters)

function send(message: WorkerMessage, buffers: ArrayBuffer[] = []): void {
  port.postMessage(message, buffers)
  Atomics.add(shared, COUNTERS.sent, 1)
  Atomics.notify(shared, COUNTERS.sent)
}

/** Waits while too many segments are ahead of the delivery. */
function keepPace(index: number): void {
  for (;;) {
    const delivered = Atomics.load(shared, COUNTERS.delivered)
    if (index < delivered + MOST_AHEAD) return
    Atomics.wait(shared, COUNTERS.delivered, delivered)
  }
}

async function work(): Promise<void> {
  const scanner = createSegmentScanner(await importRules(rules), {
    format,
    now: new Date(now),
    warn: (warning) => send({ warning }),
  })
  const file = openSync(path, 'r')
  const count = Math.ceil(size / SEGMENT_BYTES)
  for (;;) {
    const index = Atomics.add(shared, COUNTERS.next, 1)
    if (index >= count) break
    keepPace(index)
    const segment = scanSegment(scanner, file, size, format, index)
    send({ index, segment }, buffersOf(segment))
  }
}

// Not awaited at the top level: modules that are loaded later may import from this file, and would wait for its end.
work().catch((error: Error) => send({ error: error.message }))
