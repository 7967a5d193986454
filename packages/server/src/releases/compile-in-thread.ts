import { Worker } from 'node:worker_threads'
import { Problem } from '../problem.js'
import type { CompiledPackage, CompilePackage } from './compile-package.js'

/** The input of a thread. */
export interface Task {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The result of a thread. */
export type CompileResult = { readonly compiled: CompiledPackage } | { readonly failure: string }

export interface CompilerOptions {
  /** The file that the thread runs. */
  readonly entry?: URL
  /** The largest known package takes less than a second. */
  readonly limitMs?: number
}

/** The memory limit of a thread: a package that needs more could not be installed anywhere. */
const MEMORY_MB = 512

/**
 * Compiles packages in another thread, one at a time: whatever they contain, the service stays responsive, and a package that takes too long
 * or too much memory is rejected.
 *
 * @example
 * const compile = createCompiler()
 * await compile('omen-private-cre-rules.1.0.0.3f0c9a1b2d4e.yaml.gz', bytes)
 */
export function createCompiler({
  entry = new URL('./compile-thread.js', import.meta.url),
  limitMs = 60_000,
}: CompilerOptions = {}): CompilePackage {
  let last: Promise<unknown> = Promise.resolve()
  return (name, bytes) => {
    const next = last.then(() => run(entry, { name, bytes }, limitMs))
    last = next.catch(() => undefined)
    return next
  }
}

function run(entry: URL, workerData: Task, limitMs: number): Promise<CompiledPackage> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(entry, { workerData, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } })
    const timer = setTimeout(() => settle(() => reject(tooMuch(workerData.name))), limitMs)
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      finish()
      void thread.terminate()
    }
    thread.once('message', (result: CompileResult) =>
      settle(() => {
        if ('compiled' in result) resolve(result.compiled)
        else reject(new Problem('invalid_package', result.failure))
      }),
    )
    thread.once('error', (error: NodeJS.ErrnoException) =>
      settle(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch(workerData.name) : error)),
    )
    thread.once('exit', () =>
      settle(() => reject(new Error('the thread that compiles packages ended without a result'))),
    )
  })
}

function tooMuch(name: string): Problem {
  return new Problem('invalid_package', `${name} takes too long or too much memory to compile. Make it smaller.`)
}
