import { Worker } from 'node:worker_threads'
import type { PackageTask, PreparedPackage, PreparePackage } from './prepare-package.js'

/** The same limits as for compiling: a package that needs more was never published. */
const MEMORY_MB = 512
const LIMIT_MS = 60_000

/**
 * Prepares packages in another thread, one at a time, so that the service stays responsive.
 *
 * @example
 * const prepare = createPreparer()
 * await prepare({ bytes, origin: 'community' })
 */
export function createPreparer(entry = new URL('./prepare-thread.js', import.meta.url)): PreparePackage {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const next = last.then(() => run(entry, task))
    last = next.catch(() => undefined)
    return next
  }
}

function run(entry: URL, workerData: PackageTask): Promise<PreparedPackage> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(entry, { workerData, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } })
    const timer = setTimeout(() => settle(() => reject(new Error('reading a package takes too long'))), LIMIT_MS)
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      finish()
      void thread.terminate()
    }
    thread.once('message', (prepared: PreparedPackage) => settle(() => resolve(prepared)))
    thread.once('error', (error) => settle(() => reject(error)))
    thread.once('exit', () => settle(() => reject(new Error('the thread that reads packages ended without a result'))))
  })
}
