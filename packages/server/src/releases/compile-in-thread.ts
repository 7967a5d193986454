import { Worker } from 'node:worker_threads'
import { Problem } from '../problem.js'
import type { CompiledPackage, CompilePackage } from './compile-package.js'

/** What a thread is given. */
export interface Task {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What it answers. */
export type Verdict = { readonly compiled: CompiledPackage } | { readonly refusal: string }

export interface CompilerOptions {
  /** The file that the thread runs. */
  readonly entry?: URL
  /** The largest package in sight takes less than a second. */
  readonly limitMs?: number
}

/** What a thread may use: a package that needs more is none that anybody could install. */
const MEMORY_MB = 512

/**
 * Compiles packages in another thread, one at a time: whatever is in them, requests go on being answered, and what takes too long
 * or too much memory is refused.
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
    thread.once('message', (verdict: Verdict) =>
      settle(() => {
        if ('compiled' in verdict) resolve(verdict.compiled)
        else reject(new Problem('invalid_package', verdict.refusal))
      }),
    )
    thread.once('error', (error: NodeJS.ErrnoException) =>
      settle(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch(workerData.name) : error)),
    )
    thread.once('exit', () => settle(() => reject(new Error('the thread that compiles packages ended without a word'))))
  })
}

function tooMuch(name: string): Problem {
  return new Problem('invalid_package', `${name} takes too long or too much memory to compile. Make it smaller.`)
}
