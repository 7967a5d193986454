import { openSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { assumedSeam, buffersOf, createSegmentScanner, type Detection, importRules, type Warn } from '@omen/engine'
import type { ScanEvents } from '../matching/events.js'
import type { Pace } from '../matching/pace.js'
import { createSourceScanner } from '../matching/scan-source.js'
import { engineZone } from '../sources/zone.js'
import {
  COUNTERS,
  type SegmentsTask,
  type SentDetection,
  type SourcesTask,
  type WorkerMessage,
  type WorkerStart,
  type WorkerTask,
} from './protocol.js'
import { cutIntoSegments, scanSegment } from './segments.js'

const { port }: WorkerStart = workerData

/** The connection to the main thread for a task: messages, and the counters that both threads share. */
function connectToMain(counters: SharedArrayBuffer) {
  const shared = new Int32Array(counters)
  return {
    send(message: WorkerMessage, buffers: ArrayBuffer[] = []): void {
      port.postMessage(message, buffers)
      Atomics.add(shared, COUNTERS.sent, 1)
      Atomics.notify(shared, COUNTERS.sent)
    },
    take: () => Atomics.add(shared, COUNTERS.next, 1),
    /** Waits while too many segments are ahead of the delivery. */
    keepPace(index: number, mostAhead: number): void {
      for (;;) {
        const delivered = Atomics.load(shared, COUNTERS.delivered)
        if (index < delivered + mostAhead) return
        Atomics.wait(shared, COUNTERS.delivered, delivered)
      }
    },
    get stopped() {
      return Atomics.load(shared, COUNTERS.stop) === 1
    },
  }
}

type Main = ReturnType<typeof connectToMain>

async function scanSegments(task: SegmentsTask, main: Main): Promise<void> {
  const { path, size, formats, zone, rules, options } = task
  const compiled = await importRules(rules)
  const file = openSync(path, 'r')
  const pace = paceOf(main)
  const segments = cutIntoSegments(file, size, formats, pace)
  let index = 0
  const warn: Warn = (warning, subject = 'data') => main.send({ index, warning, subject })
  const scanner = createSegmentScanner(compiled, { ...options, zone: engineZone(zone), warn })
  for (index = main.take(); index < segments.count && !main.stopped; index = main.take()) {
    main.keepPace(index, task.mostAhead)
    const segment = await scanSegment(scanner, file, segments, index, assumedSeam(formats, index === 0), pace)
    if (segment) main.send({ index, segment }, buffersOf(segment))
  }
}

async function scanSources({ sources, settings, rules, progress }: SourcesTask, main: Main): Promise<void> {
  const reached = new Float64Array(progress)
  const events: ScanEvents = {
    found: (index, detections) => main.send({ index, found: detections.map(readyToSend) }),
    advanced(index, taken, lines) {
      reached[2 * index] = taken
      reached[2 * index + 1] = lines
    },
    finished: (index, finished) => main.send({ index, finished }),
    problem: (index, problem) => main.send({ index, problem }),
    warn: (index, warning, subject = 'data') => main.send({ index, warning, subject }),
  }
  const scanner = createSourceScanner(await importRules(rules), settings, events, paceOf(main))
  for (let index = main.take(); index < sources.length && !main.stopped; index = main.take()) {
    await scanner.scan(index, sources[index])
  }
}

/** Nothing else happens on this thread: it stops when the main thread says so, and never yields. */
function paceOf(main: Main): Pace {
  return {
    get stopped() {
      return main.stopped
    },
    turn: () => undefined,
    unlessStopped: (work) => work,
  }
}

/** Entries are decoded before they are sent: their bytes stay on this thread. */
function readyToSend({ cre, hits }: Detection): SentDetection {
  const sent = hits.map(({ timestamp, entry, line, file, extracted }) => {
    return { timestamp, entry, line, ...(file !== undefined && { file }), ...(extracted && { extracted }) }
  })
  return { creId: cre.id, hits: sent }
}

async function work(task: WorkerTask): Promise<void> {
  const main = connectToMain(task.counters)
  try {
    await (task.kind === 'segments' ? scanSegments(task, main) : scanSources(task, main))
  } catch (error) {
    main.send({ error: (error as Error).message })
  }
}

// No top-level await: modules that are loaded later may import from this file, and would wait for its end.
port.on('message', (task: WorkerTask) => void work(task))
