import { Worker, type WorkerOptions } from 'node:worker_threads'
import { isSingleFile, packagedPath, readPackaged } from './files.js'

/**
 * Starts a worker thread of the tool. A single-file executable has no file for it, and passes the code.
 *
 * @example
 * const worker = startWorker({ workerData: { port }, transferList: [port] })
 */
export function startWorker(options: WorkerOptions): Worker {
  return isSingleFile()
    ? new Worker(readPackaged('worker.js').toString(), { ...options, eval: true })
    : new Worker(packagedPath('worker.js'), options)
}
