import { setImmediate as otherWork } from 'node:timers/promises'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import {
  type CompiledRules,
  createMerger,
  createSegmentScanner,
  type Detection,
  exportRules,
  type ReadingFormat,
  type ScannedSegment,
} from '@omen/engine'
import { COUNTERS, type WorkerMessage, type WorkerTask } from './protocol.js'
import { SEGMENT_BYTES, scanSegment } from './segments.js'

/** A file to scan, open for reading. */
export interface ThreadedFile {
  readonly path: string
  readonly file: number
  readonly size: number
  readonly format: ReadingFormat
}

export interface ThreadOptions {
  readonly threads: number
  readonly now: Date
  readonly warn: (message: string) => void
}

/** A worker that died says so by an event, so the events get a turn at least this often. */
const LONGEST_WAIT_MS = 500

/**
 * Scans a file on several threads, this one included. Each takes the next segment that nobody has; the results are
 * delivered in the order of the file, so what is found does not depend on the number of threads. Returns the number of
 * lines.
 */
export async function scanOnThreads(
  target: ThreadedFile,
  rules: CompiledRules,
  options: ThreadOptions,
  found: (detections: Detection[]) => void,
): Promise<number> {
  const { file, size, format } = target
  const { now, warn } = options
  const shared = new Int32Array(new SharedArrayBuffer(4 * Object.keys(COUNTERS).length))
  const crew = startWorkers(target, rules, options, shared)
  const scanner = createSegmentScanner(rules, { format, now, warn })
  const merger = createMerger(rules, { warn })
  const count = Math.ceil(size / SEGMENT_BYTES)
  const ready = new Map<number, ScannedSegment>()
  let lines = 0

  function deliverReady(): void {
    crew.receive(ready, warn)
    for (let next = delivered(); ready.has(next); next++) {
      const segment = ready.get(next)!
      found(merger.deliver(segment))
      lines += segment.lines
      ready.delete(next)
      Atomics.store(shared, COUNTERS.delivered, next + 1)
      Atomics.notify(shared, COUNTERS.delivered)
    }
  }
  const delivered = () => Atomics.load(shared, COUNTERS.delivered)

  try {
    while (delivered() < count) {
      const sent = Atomics.load(shared, COUNTERS.sent)
      deliverReady()
      const index = Atomics.add(shared, COUNTERS.next, 1)
      if (index < count) {
        ready.set(index, scanSegment(scanner, file, size, format, index))
      } else if (delivered() < count) {
        Atomics.wait(shared, COUNTERS.sent, sent, LONGEST_WAIT_MS)
        await otherWork()
      }
    }
    found(merger.end())
    return lines
  } finally {
    await crew.stop()
  }
}

function startWorkers(
  { path, size, format }: ThreadedFile,
  rules: CompiledRules,
  { threads, now }: ThreadOptions,
  shared: Int32Array<SharedArrayBuffer>,
) {
  const task = { path, size, format, now: now.toISOString(), rules: exportRules(rules), counters: shared.buffer }
  let failure: Error | undefined
  const ports: MessagePort[] = []
  const workers = Array.from({ length: threads - 1 }, () => {
    const { port1, port2 } = new MessageChannel()
    ports.push(port1)
    const workerData: WorkerTask = { ...task, port: port2 }
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData, transferList: [port2] })
    worker.once('error', (error) => {
      failure = error
    })
    return worker
  })

  return {
    /** Takes what the workers have sent, without waiting for the event loop. */
    receive(ready: Map<number, ScannedSegment>, warn: (message: string) => void): void {
      if (failure) throw failure
      for (const port of ports) {
        for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
          const message: WorkerMessage = next.message
          if ('error' in message) throw new Error(message.error)
          if ('warning' in message) warn(message.warning)
          else ready.set(message.index, message.segment)
        }
      }
    },
    async stop(): Promise<void> {
      for (const port of ports) port.close()
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}
