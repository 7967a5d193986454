import { openSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { buffersOf, createSegmentScanner, importRules } from '@omen/engine'
import { COUNTERS, MOST_AHEAD, type WorkerMessage, type WorkerStart, type WorkerTask } from './protocol.js'
import { cutIntoSegments, scanSegment } from './segments.js'

const { port }: WorkerStart = workerData

async function work({ path, size, format, now, rules, counters }: WorkerTask): Promise<void> {
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

  try {
    const warn = (warning: string) => send({ warning })
    const scanner = createSegmentScanner(await importRules(rules), { format, now: new Date(now), warn })
    const file = openSync(path, 'r')
    const segments = cutIntoSegments(file, size, format)
    for (let index = take(); index < segments.count; index = take()) {
      keepPace(index)
      const segment = scanSegment(scanner, file, segments, index)
      send({ index, segment }, buffersOf(segment))
    }
  } catch (error) {
    send({ error: (error as Error).message })
  }

  function take(): number {
    return Atomics.add(shared, COUNTERS.next, 1)
  }
}

// Nothing is awaited at the top level: modules that are loaded later may import from this file, and would wait for its end.
port.on('message', (task: WorkerTask) => void work(task))
