import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { startWorker } from '../packaged/start-worker.js'
import type { WorkerMessage, WorkerStart, WorkerTask } from './protocol.js'

/** Worker threads that scan files together with this one. */
export interface WorkerPool {
  /** Gives all workers the same task. Its counters decide which worker takes what. */
  begin(task: WorkerTask): void
  /** Takes the messages that have arrived, without waiting for the event loop. */
  receive(): WorkerMessage[]
  stop(): Promise<void>
}

/**
 * Starts worker threads. Starting them takes as long as loading the rules, so they are started first and get their task
 * later.
 */
export function startWorkerPool(size: number): WorkerPool {
  let failure: Error | undefined
  const ports: MessagePort[] = []
  const workers = Array.from({ length: size }, () => {
    const { port1, port2 } = new MessageChannel()
    ports.push(port1)
    const workerData: WorkerStart = { port: port2 }
    const worker = startWorker({ workerData, transferList: [port2] })
    worker.once('error', (error) => {
      failure = error
    })
    return worker
  })

  return {
    begin(task) {
      for (const port of ports) port.postMessage(task)
    },
    receive() {
      if (failure) throw failure
      return ports.flatMap(messagesOn)
    },
    async stop() {
      for (const port of ports) port.close()
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

function messagesOn(port: MessagePort): WorkerMessage[] {
  const messages: WorkerMessage[] = []
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) messages.push(next.message)
  return messages
}
